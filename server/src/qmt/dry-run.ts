import { createHash } from 'node:crypto'
import type { Dropped, DryRun, DryRunBody, DryRunRow, Holding, TradingConfig } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { StoredDryRun } from '../db/tables/qmt-json.ts'
import type { Database } from '../db/tables.ts'
import { newestNote } from '../quant/open-parts.ts'
import { ownFactors } from '../quant/own-factors.ts'
import { codeNow, underCodesOfNow } from './codes-of-now.ts'
import { type ConfigRow, configOf } from './configs.ts'
import { readHoldings } from './holdings-text.ts'
import { needTrading } from './kill-switch.ts'
import { fen, refPriceOf, unsellable, warningsOf } from './lots.ts'
import { isOver, type MarketDay, type QmtDeps } from './market-day.ts'
import { type Planned, planOf } from './plan.ts'
import { type ReasonInput, type RuleScreens, rankIn, reasonOf } from './reasons.ts'
import { restingOf } from './resting.ts'
import { screenBefore, screenNow } from './source-lists.ts'
import { type Made, makeTargets } from './targets.ts'
import { tradingConfigOf } from './trading-configs.ts'

/**
 * What the client would do, before it does it:
 *
 * 1. targets of the newest data;
 * 2. holdings: told with the call, or those of the client's last heartbeat, with what rests there;
 * 3. the plan between both, with a reason, a price and a cost for each line that is traded or stays;
 * 4. a hash over it, which is what the user confirms.
 *
 * @throws ApiError 40004, 40000 holdings that cannot be read, 21008, 22xxx, 50301
 */
export async function dryRun(deps: QmtDeps, userId: string, configId: string, body: DryRunBody, signal: AbortSignal): Promise<DryRun> {
  const { db } = deps
  const config = (await configOf(db, userId, configId)) ?? throwApiError(errorCodes.notFound)
  const trading = (await tradingConfigOf(db, userId, config.trading_config_id)) ?? throwApiError(errorCodes.notFound)
  const made = await makeTargets(deps, config, trading, signal)
  const reported = holdingsOf(config, body, made.day)
  const positions = { ...reported, holdings: underCodesOfNow(made.day, reported.holdings) }
  const ignore_codes = trading.ignore_codes.map((code) => codeNow(made.day, code))
  const sellable = positions.holdings.filter(({ code }) => unsellable(made.day.quotes.get(code), made.day.tradeDate) === null)
  const resting = positions.holdings_from === 'heartbeat' ? await restingOf(db, config, made.day, deps.now()) : new Map<string, string>()
  const planned = planOf({ ...made, holdings: sellable, order_min: trading.order_min, ignore_codes, resting: [...resting.keys()] })
  const plan = planned.filter(({ code }) => !resting.has(code))
  const bound = planned.filter(({ code }) => resting.has(code))
  const about = { kind: config.kind, rule: await ruleScreens(deps, config, made, positions.holdings, signal), ...trading, ignore_codes }
  const rows = plan.map((one) => rowOf(one, made, about))
  const note = await newestNote(deps, made.day.market.snapshot)
  const result = {
    ...summaryOf(config, made, rows, bound),
    ...positions,
    rows,
    dropped: droppedOf(made, { ...trading, ignore_codes }, positions.holdings, resting),
    warnings: [...warningsFor(made.day, trading, deps.now()), ...(note === null ? [] : [note])],
  }
  const hash = hashOf(config, made, positions.holdings, plan)
  const stored: StoredDryRun = {
    hash,
    trade_date: made.day.tradeDate,
    signal_date: made.day.signalDate,
    data_version: made.day.market.snapshot.dataVersion,
    diff_count: rows.filter(({ difference }) => difference !== 0).length,
    made_at: shanghaiTime(deps.now()),
  }
  await db
    .updateTable('qmt_config')
    .set({ dry_run: JSON.stringify(stored), confirmed_at: sql<Date | null>`case when dry_run ->> 'hash' = ${hash} then confirmed_at end` })
    .where('id', '=', config.id)
    .where('user_id', '=', userId)
    .where('version', '=', config.version)
    .execute()
  return { ...result, hash }
}

/** The user has looked at the last dry run. @throws ApiError 40004, 24005, 40009 another one was made since, or the config was changed */
export async function confirm(db: Kysely<Database>, userId: string, configId: string, hash: string): Promise<{ confirmed_at: string }> {
  const config = (await configOf(db, userId, configId)) ?? throwApiError(errorCodes.notFound)
  await needTrading(db, userId)
  if (config.dry_run?.hash !== hash) throwApiError(errorCodes.staleVersion)
  const row = await db
    .updateTable('qmt_config')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', '=', config.id)
    .where('user_id', '=', userId)
    .where('version', '=', config.version)
    .where(sql<boolean>`dry_run ->> 'hash' = ${hash}`)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row?.confirmed_at ? { confirmed_at: shanghaiTime(row.confirmed_at) } : throwApiError(errorCodes.staleVersion)
}

type HoldingsRead = Pick<DryRun, 'holdings' | 'holdings_from' | 'holdings_at'>

function holdingsOf(config: ConfigRow, { holdings, holdings_text: text }: DryRunBody, { quotes }: MarketDay): HoldingsRead {
  if (holdings && text !== undefined) throwApiError(errorCodes.invalidRequest, '持仓与持仓文本只能给一个')
  if (text !== undefined) {
    const read = readHoldings(text, quotes.keys())
    if (!read.ok) throwApiError(errorCodes.invalidRequest, read.mistake)
    return { holdings: read.holdings, holdings_from: 'given', holdings_at: null }
  }
  if (holdings) {
    if (new Set(holdings.map(({ code }) => code)).size < holdings.length) throwApiError(errorCodes.invalidRequest, '同一证券只能出现一次')
    return { holdings, holdings_from: 'given', holdings_at: null }
  }
  if (config.holdings === null) return { holdings: [], holdings_from: 'none', holdings_at: null }
  return { holdings: config.holdings, holdings_from: 'heartbeat', holdings_at: config.heartbeat_at && shanghaiTime(config.heartbeat_at) }
}

/** Of one rule the screen against what is held, and that of the day before; of several the sentences are shorter. */
async function ruleScreens(
  deps: QmtDeps,
  config: ConfigRow,
  { members, day }: Made,
  holdings: readonly Holding[],
  signal: AbortSignal,
): Promise<RuleScreens | null> {
  const [member] = members
  if (members.length !== 1 || !member) return null
  const codes = holdings.map(({ code }) => code)
  const [now, before, own] = await Promise.all([
    screenNow(deps, config.user_id, day, member.parameters, codes, signal),
    screenBefore(deps, config.user_id, day, member.parameters, signal),
    ownFactors(deps.db, config.user_id, config.kind),
  ])
  return { parameters: member.parameters, now, before, own }
}

/** What is not in the plan though it is a target or held, with the reason. */
function droppedOf(
  { day, members, screens, items, dropped }: Made,
  trading: TradingConfig,
  holdings: readonly Holding[],
  resting: ReadonlyMap<string, string>,
): Dropped[] {
  const heldCodes = new Set(holdings.filter(({ volume }) => volume > 0).map(({ code }) => code))
  const wanted = new Set(items.filter(({ weight }) => weight > 0).map(({ code }) => code))
  const droppedRow = (code: string, reason: string): Dropped => ({ code, name: day.quotes.get(code)?.name ?? '', reason })
  const ignored = trading.ignore_codes.filter((code) => heldCodes.has(code) || wanted.has(code))
  const last = trading.buy_rank
  const beyond = last === null || members.length > 1 ? [] : screens[0]!.list_items.filter(({ selected, rank }) => selected && rank! > last)
  const over = [...heldCodes].flatMap((code) => {
    const reason = unsellable(day.quotes.get(code), day.tradeDate)
    return reason === null ? [] : [droppedRow(code, reason)]
  })
  const said = new Set([...dropped, ...over].map(({ code }) => code))
  const rests = [...new Set([...heldCodes, ...wanted])].filter((code) => resting.has(code) && !ignored.includes(code) && !said.has(code))
  return [
    ...dropped,
    ...over,
    ...rests.map((code) => droppedRow(code, resting.get(code)!)),
    ...beyond
      .filter(({ code }) => !heldCodes.has(code) && !ignored.includes(code) && !resting.has(code))
      .map(({ code, rank }) => droppedRow(code, `名次 ${rank}，超出买入名次 ${last}`)),
    ...ignored.map((code) => droppedRow(code, '在忽略名单中，不买不卖')),
  ]
}

function rowOf(planned: Planned, { day, items }: Made, reasonInput: ReasonInput): DryRunRow {
  const { code, held, target } = planned
  const item = items.find((one) => one.code === code)
  const quote = day.quotes.get(code)
  const difference = target - held
  const price = priceOf(day, code)
  const amount = price === null ? null : fen(Math.abs(difference) * price)
  return {
    ...{ code, held, target, difference, price, amount },
    action: difference > 0 ? 'buy' : difference < 0 ? 'sell' : 'keep',
    name: quote?.name ?? '',
    fee: amount === null ? null : feeOf(day, code, difference, amount),
    turnover_share: amount === null || !quote || !(quote.amount > 0) ? null : amount / (quote.amount * 10_000),
    rank: item?.rank ?? rankIn(reasonInput.rule?.now, code),
    rank_before: rankIn(reasonInput.rule?.before, code),
    reason_text: reasonOf({ ...planned, item, quote }, reasonInput),
    warnings: quote ? warningsOf(quote) : ['不在行情数据中'],
  }
}

function priceOf({ quotes, tradeDate }: MarketDay, code: string): number | null {
  const quote = quotes.get(code)
  return quote && quote.close > 0 ? refPriceOf(quote, tradeDate) : null
}

function feeOf({ kind, quotes }: MarketDay, code: string, difference: number, amount: number): number {
  if (amount === 0) return 0
  // The price that slips is the market's: what a broker asks is the rate and its least.
  const { buy_rate: buyRate, sell_rate: sellRate, min_fee: least } = ruleForms[kind].costs[0].cost
  const rate = difference < 0 ? sellRate : buyRate
  const { stampSell, transfer } = quotes.get(code)?.fees ?? { stampSell: 0, transfer: 0 }
  return fen(Math.max(least, amount * rate) + amount * (transfer + (difference < 0 ? stampSell : 0)))
}

/** @param bound what rests: its money stays where it is, or where it would be spent */
function summaryOf(config: ConfigRow, { day, items, money }: Made, rows: readonly DryRunRow[], bound: readonly Planned[]) {
  const sum = (of: (row: DryRunRow) => number | null) => fen(rows.reduce((total, row) => total + (of(row) ?? 0), 0))
  const shares = rows.filter(({ difference }) => difference !== 0).flatMap(({ turnover_share: share }) => share ?? [])
  const spent = bound.reduce((total, { code, held, target }) => total + Math.max(held, target) * (priceOf(day, code) ?? 0), 0)
  const { dataMode, dataVersion } = day.market.snapshot
  return {
    ...{ trade_date: day.tradeDate, signal_date: day.signalDate, data_mode: dataMode, data_version: dataVersion },
    targets: items.filter(({ weight }) => weight > 0).length,
    buy_amount: sum(({ action, amount }) => (action === 'buy' ? amount : 0)),
    sell_amount: sum(({ action, amount }) => (action === 'sell' ? amount : 0)),
    fees: sum(({ fee }) => fee),
    unused_cash: fen(
      Math.max(0, config.capital * 10_000 - money) + Math.max(0, money - spent - sum(({ target, price }) => target * (price ?? 0))),
    ),
    max_turnover_share: shares.length > 0 ? Math.max(...shares) : null,
  }
}

function warningsFor(
  { market, stale, signalDate, tradeDate, isDateExpected }: MarketDay,
  { dry_run, end_time }: TradingConfig,
  now: Date,
): string[] {
  return [
    ...(isSynthetic(market.snapshot.dataMode) ? ['演示数据仅供演练，不能导出与交易'] : []),
    ...(isDateExpected ? [`${tradeDate} 为推定的交易日：当年休市日尚未公布，公布前不能导出与交易`] : []),
    ...(stale ? [`数据截至 ${signalDate}，不是最新交易日，导出与交易已停止`] : []),
    ...(isOver(tradeDate, end_time, now) ? [`${tradeDate} 的执行时段到 ${end_time} 已结束，之后的交易以收盘后的新名单为准`] : []),
    ...(dry_run ? [] : ['该交易配置已开启实盘委托']),
  ]
}

function hashOf({ id, version }: ConfigRow, { day }: Made, holdings: readonly Holding[], plan: readonly Planned[]): string {
  const volumes = holdings.map(({ code, volume }) => `${code} ${volume}`).sort()
  const targets = plan.map(({ code, held: before, target }) => ({ code, held: before, target }))
  const facts = [id, version, day.tradeDate, day.market.snapshot.dataVersion, volumes, targets]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}
