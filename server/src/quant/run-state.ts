import { type ErrorCode, type Metrics, messageOf, type Verdict } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type Kysely, sql, type Transaction } from 'kysely'
import { shanghaiDay } from '../base/time.ts'
import type { FinishedRun } from '../compute/protocol.ts'
import { locks } from '../db/locks.ts'
import { takesWork } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { guestGroup, type Tier } from '../queue/jobs.ts'
import type { Queue } from '../queue/queue.ts'
import { insertCore } from '../run-core/kept-core.ts'
import { tierOf } from '../usage/limits.ts'
import { vipNow } from '../user/vip.ts'

/**
 * The moves between the states of a run, each guarded by the state it starts from:
 *
 *   queued → running → done
 *   running → queued, when its data could not be read (give-back.ts)
 *   queued, running → failed, cancelled, timedOut, interrupted
 *
 * Every move writes its event in the same transaction and notifies afterwards, so that a stream shows what is true and a
 * terminal event exists exactly once.
 */

/** NOTIFY: a run has new events; a run must stop. The payload is its id. */
export const runChannel = 'run'
export const stopChannel = 'run_stop'

/** What the table of events holds: an event of the contract without run id and number, or the error that ends the stream. */
export type StoredEvent = { type: string; [member: string]: unknown } | { type: 'error'; code: number; message: string }

export interface Ending {
  readonly status: (typeof runStatus)['failed' | 'cancelled' | 'timedOut' | 'interrupted']
  readonly code: ErrorCode
  /** The code's own sentence when absent. */
  readonly message?: string
  /** The user's quota is given back: it was our fault. */
  readonly refund: boolean
}

/** Why runs end early, by what happened. */
export const endings = {
  cancelled: { status: runStatus.cancelled, code: errorCodes.cancelled, refund: false },
  workerDied: { status: runStatus.interrupted, code: errorCodes.computeCrashed, refund: true },
  ownerDied: { status: runStatus.interrupted, code: errorCodes.stopping, refund: true },
  stopping: { status: runStatus.interrupted, code: errorCodes.stopping, refund: true },
  hung: { status: runStatus.interrupted, code: errorCodes.computeTimeout, refund: true },
  lost: { status: runStatus.interrupted, code: errorCodes.computeCrashed, refund: true },
  noWorker: { status: runStatus.interrupted, code: errorCodes.busy, refund: true },
  tooLong: { status: runStatus.timedOut, code: errorCodes.computeTimeout, refund: false },
  notSaved: { status: runStatus.failed, code: errorCodes.resultNotSaved, refund: true },
  crashed: { status: runStatus.interrupted, code: errorCodes.computeCrashed, refund: true },
  dataMissing: { status: runStatus.failed, code: errorCodes.noMarketData, refund: true },
  dataDamaged: { status: runStatus.failed, code: errorCodes.damagedMarketData, refund: true },
} as const satisfies Record<string, Ending>

/** What a worker needs to know of a run that it has claimed. */
export interface ClaimedRun {
  readonly id: string
  readonly userId: string
  readonly tier: Tier
  readonly guest: boolean
  /** How often it was given back. */
  readonly attempt: number
  readonly row: Pick<
    Database['backtest_run'],
    'kind' | 'params_hash' | 'snapshot_id' | 'index_snapshot_id' | 'stock_snapshot_id' | 'data_version'
  > & {
    request: Record<string, unknown>
    created_at: Date
  }
}

/**
 * queued → running, by one update: of two workers that hold the job one gets the run. null: the run has ended, or is another worker's. `'wait'`: as many runs of its user are computed as the plan allows,
 * which two workers that take two of them at once could otherwise pass. `'avoid'`: this worker could not read its data, and one that has not
 * tried takes work.
 */
export async function claimRun(
  db: Kysely<Database>,
  runId: string,
  by: { workerId: string; engineVersion: string; atOnce(tier: Tier): number },
): Promise<ClaimedRun | 'wait' | 'avoid' | null> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('backtest_run as r')
      .innerJoin('app_user as u', 'u.id', 'r.user_id')
      .select(['r.kind', 'r.status', 'r.params_hash', 'r.snapshot_id', 'r.index_snapshot_id', 'r.stock_snapshot_id', 'r.data_version'])
      .select(['r.request', 'r.created_at', 'r.user_id', 'r.attempt', vipNow('u').as('vip_level'), 'u.is_demo'])
      .select(mayTryElsewhere(by.workerId).as('avoids'))
      .where('r.id', '=', runId)
      .where(({ eb, or, and }) =>
        or([eb('r.status', '=', runStatus.queued), and([eb('r.status', '=', runStatus.running), eb('r.worker_id', '=', by.workerId)])]),
      )
      .executeTakeFirst()
    if (!row) return null
    const claim = { id: runId, userId: row.user_id, tier: tierOf(row), guest: row.is_demo, attempt: row.attempt, row }
    // The answer to COMMIT may be lost with the connection: asked again, a run of ours is ours, or nobody would compute it.
    if (row.status === runStatus.running) return claim
    if (row.avoids) return 'avoid'
    await lockUser(transaction, row.is_demo ? guestGroup : row.user_id)
    const running = await transaction
      .selectFrom('backtest_run')
      .innerJoin('app_user', 'app_user.id', 'user_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where((is) => (row.is_demo ? is('is_demo', '=', true) : is('user_id', '=', row.user_id)))
      .where('status', '=', runStatus.running)
      .executeTakeFirstOrThrow()
    // Visitors of the demo have one run computed at a time, all together.
    if (Number(running.count) >= by.atOnce(row.is_demo ? 'free' : tierOf(row))) return 'wait'
    const claimed = await transaction
      .updateTable('backtest_run')
      .set({ status: runStatus.running, worker_id: by.workerId, engine_version: by.engineVersion, started_at: sql<Date>`now()` })
      .where('id', '=', runId)
      .where('status', '=', runStatus.queued)
      .returning('id')
      .executeTakeFirst()
    return claimed ? claim : null
  })
}

/** SQL: the run of row `r` avoids this worker, and one that it does not avoid takes work. */
const mayTryElsewhere = (workerId: string) => sql<boolean>`(${workerId}::uuid = any (r.avoid) and exists (
  select 1 from process p where ${takesWork('p')} and not p.id = any (r.avoid)))`

/** One move of one user's runs at a time. */
export const lockUser = (transaction: Transaction<Database>, userId: string) =>
  sql`select pg_advisory_xact_lock(${locks.runsOfUser}, hashtext(${userId}))`.execute(transaction)

/** Appends events of a run that this worker computes. false: it does not any more, nothing was written. */
export async function appendEvents(
  db: Kysely<Database>,
  runId: string,
  workerId: string,
  events: readonly { seq: number; payload: StoredEvent }[],
): Promise<boolean> {
  // The shared lock on the run keeps an ending from slipping in between: nothing follows a terminal event.
  const written = await sql`
    with mine as (
      select id from backtest_run where id = ${runId} and status = ${runStatus.running} and worker_id = ${workerId} for share
    ), written as (
      insert into run_event (run_id, seq, payload)
      select mine.id, e.seq, e.payload from mine, jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (seq int, payload jsonb)
      returning run_id
    )
    select pg_notify(${runChannel}, run_id::text) from (select distinct run_id from written) w`.execute(db)
  return written.rows.length > 0
}

/**
 * running → done: core, metrics, status and the result event, all or nothing. false: the run had ended already.
 * `trials`: which trial of its family it was; null of a group. `coreKey`: the object of its core, where it was put into the store.
 */
export async function finishRun(
  db: Kysely<Database>,
  run: ClaimedRun,
  workerId: string,
  finished: FinishedRun & { readonly trials: number | null; readonly coreKey?: string | null },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const done = await transaction
      .updateTable('backtest_run')
      .set({
        status: runStatus.done,
        metrics: JSON.stringify(finished.metrics),
        family_trials: finished.trials,
        ...verdictColumns(finished.verdict),
        ...{ ledger_sha256: Buffer.from(finished.ledger), spark: Buffer.from(finished.spark) },
        finished_at: sql<Date>`now()`,
      })
      .where('id', '=', run.id)
      .where('status', '=', runStatus.running)
      .where('worker_id', '=', workerId)
      .returning(['params_hash', 'data_version', 'engine_version'])
      .executeTakeFirst()
    if (!done) return isDoneBy(transaction, run.id, workerId)
    await insertCore(transaction, run.id, finished.core, finished.coreKey ?? null)
    await addEvent(transaction, run.id, resultEvent(run.id, finished.metrics, done))
    return true
  })
}

/** Both answers on a run as its row holds them. */
export const verdictColumns = (verdict: Verdict | null) => ({
  worth: verdict?.worth ?? null,
  worth_excess: verdict?.excess ?? null,
  trust: verdict?.trust ?? null,
  trust_judged: verdict?.judged ?? null,
  trust_passed: verdict?.passed ?? null,
})

/** The answer to COMMIT may be lost with the connection: asked again, a finished run of ours is finished. */
async function isDoneBy(transaction: Transaction<Database>, runId: string, workerId: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('backtest_run')
    .select('id')
    .where('id', '=', runId)
    .where('status', '=', runStatus.done)
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  return row !== undefined
}

export const resultEvent = (
  runId: string,
  metrics: Metrics,
  of: Pick<Database['backtest_run'], 'params_hash' | 'data_version' | 'engine_version'>,
): StoredEvent => ({
  type: 'result',
  backtest_id: runId,
  metrics,
  params_hash: of.params_hash,
  data_version: of.data_version,
  engine_version: of.engine_version,
  partial: false,
})

/**
 * queued, running → the ending's state; with `workerId` only while this worker computes it. Takes the job out of the queue and tells
 * the worker to stop. false: the run had ended already.
 */
export async function endRun(
  db: Kysely<Database>,
  queue: Pick<Queue, 'dropRun'> | null,
  runId: string,
  ending: Ending,
  only: { workerId?: string } = {},
): Promise<boolean> {
  const message = ending.message ?? messageOf(ending.code)
  return db.transaction().execute(async (transaction) => {
    let update = transaction
      .updateTable('backtest_run')
      .set({ status: ending.status, error_code: ending.code, error_message: message, finished_at: sql<Date>`now()` })
      .where('id', '=', runId)
      .where('status', 'in', [runStatus.queued, runStatus.running])
    if (only.workerId) update = update.where('worker_id', '=', only.workerId)
    const ended = await update.returning(['user_id', 'created_at']).executeTakeFirst()
    if (!ended) return false
    if (ending.refund) await refundUse(transaction, ended.user_id, ended.created_at)
    await addEvent(transaction, runId, { type: 'error', code: ending.code, message })
    await sql`select pg_notify(${stopChannel}, ${runId})`.execute(transaction)
    await queue?.dropRun(transaction, runId)
    return true
  })
}

export async function addEvent(transaction: Transaction<Database>, runId: string, payload: StoredEvent): Promise<void> {
  await sql`
    insert into run_event (run_id, seq, payload)
    select ${runId}, coalesce(max(seq), 0) + 1, ${JSON.stringify(payload)}::jsonb from run_event where run_id = ${runId}`.execute(
    transaction,
  )
  await sql`select pg_notify(${runChannel}, ${runId})`.execute(transaction)
}

/** The quota item of a run. */
export const backtestItem = 'backtest'

async function refundUse(transaction: Transaction<Database>, userId: string, at: Date): Promise<void> {
  await transaction
    .updateTable('quota_use')
    .set({ used: sql<number>`used - 1` })
    .where('user_id', '=', userId)
    .where('item', '=', backtestItem)
    .where('day', '=', shanghaiDay(at))
    .where('used', '>', 0)
    .execute()
}
