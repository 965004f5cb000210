import type { MarketId, Parameters, Settings } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type TradingRules, versionUnder } from '@convexa/engine'
import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { rulesOf } from '../compute/protocol.ts'
import type { RunRule } from '../context/compute.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { guestGroup, runsAtOnce, type Tier } from '../queue/jobs.ts'
import type { Queue } from '../queue/queue.ts'
import { limitReached } from '../usage/benefits.ts'
import { limits, mostQueuedOfGuests, planOf } from '../usage/limits.ts'
import { needComputeTime, takeUse } from '../usage/quota.ts'
import { admit, tradingDays } from './admission.ts'
import { type LoadedMarket, loadedMarket } from './loaded-market.ts'
import { checkedRequest, type OwnFactor, ownFactors, storedOwn } from './own-factors.ts'
import { paramsHash } from './params-hash.ts'
import { type QueueLimits, queueCapacity } from './queue-capacity.ts'
import { priorityOf } from './queue-order.ts'
import { type NamedRule, type RunAsked, ruleToRun } from './rule-to-run.ts'
import { backtestItem, lockUser, runChannel, type StoredEvent } from './run-state.ts'
import { trialsOf } from './trials.ts'

export interface Asker {
  readonly id: string
  /** The operator's command line: a member's limits and no daily quota. */
  readonly unlimited?: boolean
}

export interface RunDeps {
  readonly db: Kysely<Database>
  readonly queue: Queue
  readonly dataDir: string
  readonly rules: TradingRules
  /** How many runs may wait. */
  readonly limits: QueueLimits
  /** Process that holds the stream: the run is wanted until that process ends. */
  readonly ownerId: string
}

/** `new`: to be computed; `joined`: the same click once more, its run is under way or done; `known`: the identical run is in the history. */
export interface StartedRun {
  readonly id: string
  readonly how: 'new' | 'joined' | 'known'
}

const clickMinutes = 10
const knownHours = 24

/**
 * Starts a run: checks the request against the loaded data, takes the quota, writes the row and its job, all or nothing. Idempotent by
 * `client_run_id`: the same click again returns its run.
 * @throws ApiError 40004 the strategy or group is not the asker's, 21007 dates, 21008 no data, 22xxx formula, 23001 something wrong or that the data lack, 40009 the click of another
 * request, 21001 dearer than the plan, 21002 quota or the day's compute time, 23002 and 23003 full queues
 */
export async function startRun(deps: RunDeps, asker: Asker, kind: MarketId, request: RunAsked): Promise<StartedRun> {
  const { db, dataDir } = deps
  const market = await loadedMarket(db, dataDir, kind)
  const named = await ruleToRun(db, asker.id, kind, request)
  const tier = asker.unlimited ? 'vip' : await planOf(db, asker.id)
  const own = checkRequest(market, tier, await ownFactors(db, asker.id, kind), named.rule, request.settings)
  const hash = paramsHash(kind, named.rule, request.settings, own)
  const click = { userId: asker.id, clientRunId: request.client_run_id, kind, hash }
  const clicked = await clickedBefore(db, click)
  if (clicked) return { id: clicked, how: 'joined' }
  const earlierRun = await knownRun(deps, asker.id, market, hash, named, request.note)
  if (earlierRun) return { id: earlierRun, how: 'known' }
  try {
    return { id: await insertRun(deps, asker, tier, market, hash, own, request, named), how: 'new' }
  } catch (error) {
    // Two clicks at once: the unique index let one through.
    const other = isUniqueViolation(error) && (await clickedBefore(db, click))
    if (other) return { id: other, how: 'joined' }
    throw error
  }
}

/** What can be said without computing: dates, fields, formulas, what they cost, the schedule, the benchmark. @returns the own factors used */
function checkRequest(
  market: LoadedMarket,
  tier: Tier,
  all: readonly OwnFactor[],
  rule: RunRule,
  settings: Settings,
): readonly OwnFactor[] {
  const { snapshot, benchmarks } = market
  const { start_date, end_date, benchmark, oos_start } = settings
  if (start_date > end_date || start_date < snapshot.firstDate || end_date > snapshot.lastDate) {
    throw new ApiError(errorCodes.invalidDates, `日期范围无效或超出数据区间（${snapshot.firstDate} 至 ${snapshot.lastDate}）`)
  }
  if (oos_start && (oos_start <= start_date || oos_start > end_date)) throwApiError(errorCodes.invalidDates)
  const rules = rulesOf(rule)
  const used = new Set<OwnFactor>()
  for (const parameters of rules) {
    const { own, ...cost } = checkedRequest(market, all, parameters, settings)
    // The members of a group run one after the other: each may take its part of what one rule may.
    admit(market, tier, cost, signalDays(parameters, settings) * rules.length)
    for (const factor of own) used.add(factor)
  }
  if (!benchmarks.some(({ code }) => code === benchmark)) throwApiError(errorCodes.invalidRun, `基准「${benchmark}」没有行情数据`)
  return all.filter((factor) => used.has(factor))
}

/** About how many days of a run are ranked. */
export function signalDays({ rebalance_method: { rebalance_type: type, rebalance_value: value } }: Parameters, settings: Settings): number {
  return tradingDays(settings.start_date, settings.end_date) / (rebalanceTypes[type].days ?? value)
}

interface Click {
  readonly userId: string
  readonly clientRunId: string | undefined
  readonly kind: MarketId
  readonly hash: string
}

/** The run of the same click; the same id with another request is no click but a mistake. */
async function clickedBefore(db: Kysely<Database>, { userId, clientRunId, kind, hash }: Click): Promise<string | null> {
  if (!clientRunId) return null
  const row = await db
    .selectFrom('backtest_run')
    .select(['id', 'kind', 'params_hash'])
    .where('user_id', '=', userId)
    .where('client_run_id', '=', clientRunId)
    .where('created_at', '>', minutesAgo(clickMinutes))
    .executeTakeFirst()
  if (row && (row.kind !== kind || row.params_hash !== hash)) throwApiError(errorCodes.staleVersion)
  return row?.id ?? null
}

const minutesAgo = (minutes: number) => sql<Date>`now() - make_interval(mins => ${minutes})`

/**
 * The user's own finished run of the same rule on the same data by the same engine, kept under the same note. A request without a note
 * takes it under any note: a page that notes what was changed has nothing to note for a run of the same rule.
 */
async function knownRun(
  { db, rules }: Pick<RunDeps, 'db' | 'rules'>,
  userId: string,
  { ref }: LoadedMarket,
  hash: string,
  { strategyId, groupId }: NamedRule,
  note: string | undefined,
): Promise<string | null> {
  let same = db
    .selectFrom('backtest_run')
    .select('id')
    .where('user_id', '=', userId)
    .where('params_hash', '=', hash)
    .where('status', '=', runStatus.done)
    .where('kept', '=', 2)
    .where('engine_version', '=', versionUnder(rules))
    .where('snapshot_id', '=', ref.snapshotId)
    .where('index_snapshot_id', 'is not distinct from', ref.indexSnapshotId)
    .where('stock_snapshot_id', 'is not distinct from', ref.stockSnapshotId)
    .where('strategy_id', 'is not distinct from', strategyId)
    .where('group_id', 'is not distinct from', groupId)
    .where('finished_at', '>', minutesAgo(knownHours * 60))
  if (note) same = same.where('note', '=', note)
  return (await same.orderBy('finished_at', 'desc').executeTakeFirst())?.id ?? null
}

async function insertRun(
  deps: RunDeps,
  asker: Asker,
  tier: Tier,
  market: LoadedMarket,
  hash: string,
  own: readonly OwnFactor[],
  request: RunAsked,
  { rule, name, strategyId, groupId }: NamedRule,
): Promise<string> {
  const id = uuid()
  const { ref, snapshot } = market
  const family = { userId: asker.id, kind: ref.kind, paramsHash: hash, before: sql<Date>`now()` }
  const capacity = await queueCapacity(deps.db, deps.limits)
  const trials = 'group' in rule ? null : await trialsOf(deps.db, { ...family, rules: rulesOf(rule) })
  await deps.db.transaction().execute(async (transaction) => {
    await lockUser(transaction, asker.id)
    const open = await openRuns(transaction, asker.id)
    if (open.own >= runsAtOnce[tier] + limits[tier].queued) throw limitReached(tier, 'runs_at_once')
    if (open.queued >= capacity.most || (open.ofGuests !== null && open.ofGuests >= mostQueuedOfGuests)) throw capacity.full(open.queued)
    if (!asker.unlimited) {
      await needComputeTime(transaction, asker.id)
      await takeUse(transaction, asker.id, backtestItem, tier)
    }
    if (request.client_run_id) await freeOldClick(transaction, asker.id, request.client_run_id)
    await transaction
      .insertInto('backtest_run')
      .values({
        id,
        user_id: asker.id,
        kind: ref.kind,
        status: runStatus.queued,
        strategy_id: strategyId,
        group_id: groupId,
        name,
        note: request.note ?? null,
        client_run_id: request.client_run_id ?? null,
        request: JSON.stringify({ ...rule, settings: request.settings, ...storedOwn(own) }),
        params_hash: hash,
        trial_no: await nextTrial(transaction, asker.id, ref.kind),
        family_trials: trials,
        snapshot_id: ref.snapshotId,
        index_snapshot_id: ref.indexSnapshotId,
        stock_snapshot_id: ref.stockSnapshotId,
        data_mode: snapshot.dataMode,
        data_version: snapshot.dataVersion,
        engine_version: versionUnder(deps.rules),
        owner_id: deps.ownerId,
      })
      .execute()
    const queued: StoredEvent = { type: 'queued', position: open.queued + 1 }
    await transaction
      .insertInto('run_event')
      .values({ run_id: id, seq: 1, payload: JSON.stringify(queued) })
      .execute()
    // Guests take turns with one another as if they were one user.
    const turn = open.ofGuests === null ? { group: asker.id, tier } : { group: guestGroup, tier: 'free' as const }
    await deps.queue.addRun(transaction, { id, ...turn, priority: priorityOf(open.own) })
    await sql`select pg_notify(${runChannel}, ${id})`.execute(transaction)
  })
  return id

  async function openRuns(transaction: Transaction<Database>, userId: string) {
    // The whole queue is counted under one lock, or twenty askers at once would each see room for one.
    await sql`select pg_advisory_xact_lock(${locks.runStart}, 0)`.execute(transaction)
    const { rows } = await sql<{ own: number; queued: number; of_guests: number | null }>`
      select count(*) filter (where r.user_id = me.id or u.guest_source = me.guest_source) as own, count(*) filter (where status = 0) as queued,
        case when me.is_demo then count(*) filter (where status = 0 and u.is_demo) end as of_guests
      from app_user me left join (backtest_run r join app_user u on u.id = r.user_id) on r.status in (0, 1)
      where me.id = ${userId} group by me.id`.execute(transaction)
    const [row] = rows
    return { own: Number(row?.own), queued: Number(row?.queued), ofGuests: row?.of_guests == null ? null : Number(row.of_guests) }
  }
}

/** Runs are counted for good: one that was deleted was tried. Asked under the user's lock. */
async function nextTrial(transaction: Transaction<Database>, userId: string, kind: MarketId): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select greatest(
      (select max(trial_no) from backtest_run where user_id = ${userId} and kind = ${kind}),
      (select max(trial_no) from removed_trial where user_id = ${userId} and kind = ${kind}), 0) as last`.execute(transaction)
  return Number(rows[0]?.last) + 1
}

/** An id of a click older than ten minutes may be used again. */
async function freeOldClick(transaction: Transaction<Database>, userId: string, clientRunId: string): Promise<void> {
  await transaction
    .updateTable('backtest_run')
    .set({ client_run_id: null })
    .where('user_id', '=', userId)
    .where('client_run_id', '=', clientRunId)
    .where('created_at', '<=', minutesAgo(clickMinutes))
    .execute()
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'backtest_run_client'
