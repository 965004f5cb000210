import type { MarketId, Settings, StrategySummary } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type ComputedSummary, versionUnder } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiDate } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Compute } from '../context/compute.ts'
import type { ListPart } from '../db/tables/day-parts.ts'
import type { FollowedNav } from '../db/tables/stored-glance.ts'
import type { Database } from '../db/tables.ts'
import { partsRead } from '../feeds/ingest/list-parts.ts'
import { admit } from '../quant/admission.ts'
import { type LoadedMarket, loadedMarket } from '../quant/loaded-market.ts'
import { newestNote } from '../quant/open-parts.ts'
import { checkedRequest, forCompute, ownFactors } from '../quant/own-factors.ts'
import { canonical, paramsHash } from '../quant/params-hash.ts'
import { signalDays } from '../quant/start-run.ts'
import { planOf } from '../usage/limits.ts'
import { recordBefore, recordNewest } from './followed-days.ts'
import { glanceSettings } from './glance-settings.ts'
import { glanceOf } from './told-glance.ts'

/** Dependencies of strategy summaries, in an api and in a worker that refreshes by itself. */
export interface SummaryDeps extends Pick<AppContext, 'now'> {
  readonly db: Kysely<Database>
  readonly config: Pick<Config, 'dataDir' | 'tradingRules'>
  readonly compute: Pick<Compute, 'call'>
}

/** Before the 30 s of the client and the 27 s of the call. */
const deadlineMs = 26_000

/**
 * Computes a strategy's glance by a worker and keeps it; a glance of the same rule, data and engine is returned as it is.
 * A user's glances are computed one after the other: a hundred of them hold up nobody else's screen.
 * @throws ApiError 40004, 21007 and 23001 the settings, 21008 no data, 22xxx the rule, 23021 not done in time, 50301 no worker
 */
export async function refreshGlance(
  deps: SummaryDeps,
  userId: string,
  kind: MarketId,
  id: string,
  given: Settings | undefined,
  signal: AbortSignal,
): Promise<StrategySummary> {
  const { db, config, compute } = deps
  const strategy = (await strategyRow(db, userId, kind, id)) ?? throwApiError(errorCodes.notFound)
  const market = await loadedMarket(db, config.dataDir, kind)
  const settings = given ?? glanceSettings(market, strategy.settings)
  if (settings.start_date > settings.end_date) throwApiError(errorCodes.invalidDates)
  const { own, fields, ...cost } = checkedRequest(market, await ownFactors(db, userId, kind), strategy.detail, settings)
  admit(market, await planOf(db, userId), cost, 2 * signalDays(strategy.detail, settings))
  const key = canonical([paramsHash(kind, { parameters: strategy.detail }, settings, own), market.ref, versionUnder(config.tradingRules)])
  if (strategy.glance_key !== key || strategy.glance_version !== strategy.version) {
    const input = { parameters: strategy.detail, settings, since: shanghaiDate(strategy.saved_at), ...forCompute(own) }
    const made = await inTurn(userId, signal, () =>
      compute.call('glance', market.ref, input, { deadlineMs, asker: { id: userId }, signal }),
    )
    const of = { id, version: strategy.version, key, engine: versionUnder(config.tradingRules), reads: partsRead(kind, fields) }
    await keep(deps, userId, of, market, made)
  }
  const row = await strategyRow(db, userId, kind, id)
  const newest = { version: market.snapshot.dataVersion, note: await newestNote(deps, market.snapshot) }
  return (row && glanceOf(row, newest)) ?? throwApiError(errorCodes.notFound)
}

/** With the moment at which this version of the rule was saved. */
async function strategyRow(db: Kysely<Database>, userId: string, kind: MarketId, id: string) {
  return db
    .selectFrom('strategy as s')
    .innerJoin('strategy_version as v', (join) =>
      join.onRef('v.strategy_id', '=', 's.id').onRef('v.version', '=', 's.version').onRef('v.user_id', '=', 's.user_id'),
    )
    .select([
      's.version',
      's.detail',
      's.settings',
      's.glance',
      's.glance_at',
      's.glance_version',
      's.glance_key',
      'v.created_at as saved_at',
    ])
    .select((strategy) =>
      strategy
        .selectFrom('backtest_run as r')
        .select('r.id')
        .whereRef('r.strategy_id', '=', 's.id')
        .whereRef('r.user_id', '=', 's.user_id')
        .where('r.status', '=', 2)
        .orderBy('r.finished_at', 'desc')
        .limit(1)
        .as('backtest_id'),
    )
    .where('s.id', '=', id)
    .where('s.user_id', '=', userId)
    .where('s.kind', '=', kind)
    .executeTakeFirst()
}

/** Of two that come late the one of the newer version stays. What was followed is added, never changed. */
async function keep(
  deps: SummaryDeps,
  userId: string,
  of: { id: string; version: number; key: string; engine: string; reads: readonly ListPart[] },
  { snapshot }: LoadedMarket,
  { nav, followed, ...glance }: ComputedSummary,
): Promise<void> {
  const stored: FollowedNav | null = followed && {
    ...{ dates: followed.dates, nav: followed.nav, ...(followed.market && { market: followed.market }) },
    ...{ held: followed.lists.at(-1) ?? [], reads: of.reads, engine: of.engine },
  }
  await deps.db.transaction().execute(async (transaction) => {
    const kept = await transaction
      .updateTable('strategy')
      .set({
        glance: JSON.stringify(glance),
        glance_at: sql<Date>`now()`,
        glance_version: of.version,
        glance_nav: JSON.stringify(nav),
        glance_key: of.key,
        followed: stored && JSON.stringify(stored),
      })
      .where('id', '=', of.id)
      .where('user_id', '=', userId)
      .where((strategy) => strategy.or([strategy('glance_version', 'is', null), strategy('glance_version', '<=', of.version)]))
      .returning('id')
      .executeTakeFirst()
    if (kept && followed) await recordBefore({ ...deps, db: transaction }, userId, of, snapshot, followed)
  })
  await recordNewest(deps, snapshot, { id: of.id, userId })
}

const turns = new Map<string, Promise<unknown>>()

/** Runs one computation of a user at a time; skips it if the caller has gone away while it waited. */
async function inTurn<T>(userId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const before = turns.get(userId)
  const mine = (async () => {
    await before?.catch(() => {})
    if (signal.aborted) throwApiError(errorCodes.cancelled)
    return work()
  })()
  turns.set(userId, mine)
  try {
    return await mine
  } finally {
    if (turns.get(userId) === mine) turns.delete(userId)
  }
}
