import { createHash } from 'node:crypto'
import type { Dropped, TargetItem, Targets } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { sentences } from '@convexa/contract/rules/sentences'
import { type Kysely, sql } from 'kysely'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiDate, shanghaiTime } from '../base/time.ts'
import type { TargetsBody } from '../db/tables/qmt-json.ts'
import type { Database } from '../db/tables.ts'
import type { KeyHolder } from '../http/caller.ts'
import { millionth } from './basket.ts'
import { isOldClient } from './client-files.ts'
import { type ConfigRow, configOf } from './configs.ts'
import { factsOf } from './facts.ts'
import { oldClient } from './journals.ts'
import { killSwitch } from './kill-switch.ts'
import { fen, refPriceOf, unbuyable } from './lots.ts'
import { type MarketDay, needTradable, type QmtDeps, tradeDateAt } from './market-day.ts'
import { dayFor, type Listed, listOf, type Member, membersOf, type Ranks, type Screened, screenNow, together } from './source-lists.ts'
import { tradingConfigOf } from './trading-configs.ts'

/** Kept back of the capital before anything is counted. */
const reserve = 0.02

/** What a config would trade by the newest data, with what is needed to say why. */
export interface Made {
  readonly day: MarketDay
  readonly members: readonly Member[]
  readonly screens: readonly Screened[]
  readonly items: TargetItem[]
  readonly money: number
  readonly dropped: Dropped[]
}

/** @throws ApiError 40004 the source is gone, 21008, 22xxx, 40000 the rule, 50301 */
export async function makeTargets(deps: QmtDeps, config: ConfigRow, ranks: Ranks, signal: AbortSignal): Promise<Made> {
  const members = await membersOf(deps, config)
  const day = await dayFor(deps, config, members, signal)
  const screens = await Promise.all(members.map(({ parameters }) => screenNow(deps, config.user_id, day, parameters, undefined, signal)))
  const lists = members.map(({ parameters, share }, i) => ({
    share,
    list: listOf(day, screens[i]!, parameters, config.hold_weight_type, ranks),
  }))
  const dropped: Dropped[] = []
  const made = together(lists).flatMap((one) => itemOf(day, one, dropped) ?? [])
  // Data that have a former code beside the new one name one security twice.
  const items = made.filter(({ code }, i) => made.findIndex((one) => one.code === code) === i)
  return { day, members, screens, items, money: fen(config.capital * 10_000 * (1 - reserve)), dropped }
}

function itemOf({ quotes, tradeDate }: MarketDay, { code, rank, weight }: Listed, dropped: Dropped[]): TargetItem | null {
  const quote = quotes.get(code)
  const reason = unbuyable(quote, tradeDate)
  if (reason && weight > 0) dropped.push({ code, name: quote?.name ?? '', reason })
  if (!quote || !(quote.close > 0)) return null
  return {
    ...{ code: quote.code, name: quote.name, rank },
    weight: reason ? 0 : millionth(weight),
    ref_price: Math.round(refPriceOf(quote, tradeDate) * 1_000) / 1_000,
    lot_min: quote.lot.min,
    lot_step: quote.lot.step,
  }
}

/** SHA-256 over lines of fixed decimals: the client makes the same of what it got. */
export function checksumOf({ config_id, config_version, date, signal_date, money, items }: TargetsBody): string {
  const lines = [
    [config_id, config_version, date, signal_date, money.toFixed(2)],
    ...items.map((item) => [item.code, item.rank, item.weight.toFixed(6), item.ref_price.toFixed(3), item.lot_min, item.lot_step]),
  ]
  return createHash('sha256')
    .update(lines.map((line) => line.join(',')).join('\n'))
    .digest('hex')
}

/** Whether the last heartbeat came from an old client that trades for real: it may have missed the answer that halts it. */
const isHeardOld = ({ client }: ConfigRow): boolean => client !== null && !client.dry_run && isOldClient(client.version)

/** Why a config trades nothing now; '' = it trades. */
export async function haltReason(db: Kysely<Database>, config: ConfigRow): Promise<string> {
  const { on } = await killSwitch(db, config.user_id)
  if (on) return '自动交易已急停'
  if (!config.enabled) return '运行配置已停用'
  const account = await db
    .selectFrom('qmt_account')
    .select(['is_enabled', 'report_status'])
    .where('id', '=', config.account_id)
    .where('user_id', '=', config.user_id)
    .executeTakeFirst()
  if (!account?.is_enabled) return sentences.accountDisabled
  const trading = await tradingConfigOf(db, config.user_id, config.trading_config_id)
  if (account.report_status === 0 && trading?.dry_run === false) return '账户尚未向券商报告程序化交易，请先报告、后交易'
  if (config.source_name === null) return '来源策略已删除'
  return ''
}

/**
 * Targets that the client fetches before it trades. On one day a config has one answer: asked again it is the same, until the config or its
 * rule is changed before anything was traded for real. The answer to a rehearsal, which names no day, binds nobody.
 * @throws ApiError 40004 not the holder's, 21007 another day than the one that is traded, 24011, 24006
 */
export async function pullTargets(
  deps: QmtDeps,
  { userId }: KeyHolder,
  request: { config_id: string; date?: string | undefined },
  signal: AbortSignal,
): Promise<Targets> {
  const { db, now } = deps
  const config = (await configOf(db, userId, request.config_id)) ?? throwApiError(errorCodes.notFound)
  const reason = (await haltReason(db, config)) || (isHeardOld(config) ? oldClient : '')
  const date = tradeDateAt(now())
  if (reason) return halted(config, request.date ?? date, now(), reason)
  // A call that names a day is about to trade on it; on a holiday and after the close it is another one, which the client's log says.
  const today = shanghaiDate(now())
  if (request.date !== undefined && (request.date !== date || request.date !== today))
    throw new ApiError(errorCodes.invalidDates, `目标只在交易当日收盘前提供：今天是 ${today}，下一个可交易日是 ${date}`)
  const kept = await keptTargets(db, config, date)
  if (kept) {
    const day = await dayFor(deps, config, await membersOf(deps, config), signal)
    return answered(db, config, day, kept)
  }
  const trading = (await tradingConfigOf(db, userId, config.trading_config_id)) ?? throwApiError(errorCodes.notFound)
  const { day, items, money } = await makeTargets(deps, config, trading, signal)
  needTradable(day)
  const body: TargetsBody = {
    ...{ config_id: config.id, config_version: config.version, date, signal_date: day.signalDate, money, items },
    generated_at: shanghaiTime(now()),
    valid_until: `${date}T15:00:00+08:00`,
  }
  const made = {
    body: JSON.stringify(body),
    checksum: checksumOf(body),
    data_version: day.market.snapshot.dataVersion,
    pulled_at: request.date === undefined ? null : sql<Date>`now()`,
  }
  const written = await db
    .insertInto('qmt_targets')
    .values({ config_id: config.id, user_id: userId, trade_date: date, ...made })
    // Somebody else has pulled meanwhile: that answer stands.
    .onConflict((conflict) => conflict.columns(['config_id', 'trade_date']).doUpdateSet(made).where('qmt_targets.pulled_at', 'is', null))
    .returning(['body', 'checksum'])
    .executeTakeFirst()
  const stored = written ?? (await keptTargets(db, config, date)) ?? throwApiError(errorCodes.staleVersion)
  return answered(db, config, day, stored)
}

async function answered(
  db: Kysely<Database>,
  config: ConfigRow,
  day: MarketDay,
  kept: { body: TargetsBody; checksum: string },
): Promise<Targets> {
  const body = underCodesOfDay(kept.body, day)
  const checksum = body === kept.body ? kept.checksum : checksumOf(body)
  const trading = await tradingConfigOf(db, config.user_id, config.trading_config_id)
  const facts = await factsOf(
    db,
    config,
    day,
    body.items.map(({ code }) => code),
    trading?.ignore_codes ?? [],
  )
  return { ...body, checksum, halt: false, halt_reason: '', facts }
}

/** Targets that were made before a change of codes was known name what the terminal trades on their day; no security twice. */
export function underCodesOfDay(body: TargetsBody, { renamed }: Pick<MarketDay, 'renamed'>): TargetsBody {
  if (!body.items.some(({ code }) => renamed.has(code))) return body
  const items = new Map<string, TargetItem>()
  for (const item of body.items) {
    const code = renamed.get(item.code)?.to ?? item.code
    if (!items.has(code)) items.set(code, { ...item, code, name: item.name === item.code ? code : item.name })
  }
  return { ...body, items: [...items.values()] }
}

/** Rules of the source, the shares of a group or own factors that were saved after targets were pulled. */
const changedSince = ({ user_id, source_id }: ConfigRow) => sql<boolean>`
  exists (select from strategy s where s.user_id = ${user_id} and s.updated_at > t.pulled_at and (s.id = ${source_id}
    or exists (select from strategy_group_member m where m.group_id = ${source_id} and m.strategy_id = s.id and m.user_id = ${user_id})))
  or exists (select from strategy_group g where g.id = ${source_id} and g.user_id = ${user_id} and g.updated_at > t.pulled_at)
  or exists (select from custom_factor f where f.user_id = ${user_id} and f.updated_at > t.pulled_at)`

/** Those of the day; of a rehearsal, an older version of the config or an older rule they are dropped, unless something was ordered for real by them. */
async function keptTargets(db: Kysely<Database>, config: ConfigRow, date: string) {
  const { id, user_id, version } = config
  const row = await db
    .selectFrom('qmt_targets as t')
    .select(['body', 'checksum', 'pulled_at', changedSince(config).as('changed')])
    .where('config_id', '=', id)
    .where('user_id', '=', user_id)
    .where('trade_date', '=', date)
    .executeTakeFirst()
  if (!row || (row.pulled_at && row.body.config_version === version && !row.changed)) return row
  const { numDeletedRows } = await db
    .deleteFrom('qmt_targets as t')
    .where('t.config_id', '=', id)
    .where('t.user_id', '=', user_id)
    .where('t.trade_date', '=', date)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('qmt_fill as f')
            .select('f.order_id')
            .whereRef('f.config_id', '=', 't.config_id')
            .whereRef('f.user_id', '=', 't.user_id')
            .whereRef('f.trade_date', '=', 't.trade_date')
            .where('f.dry_run', '=', false),
        ),
      ),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n ? undefined : row
}

function halted(config: ConfigRow, date: string, now: Date, reason: string): Targets {
  const body: TargetsBody = {
    ...{ config_id: config.id, config_version: config.version, date, signal_date: date, money: 0, items: [] },
    generated_at: shanghaiTime(now),
    valid_until: `${date}T15:00:00+08:00`,
  }
  return { ...body, checksum: checksumOf(body), halt: true, halt_reason: reason }
}
