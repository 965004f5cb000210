import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import type { Kysely } from 'kysely'
import { ApiError } from '../base/api-error.ts'
import type { Compute } from '../context/compute.ts'
import { tryAdvisoryLock } from '../db/advisory-lock.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { insertCore, putCore } from '../run-core/kept-core.ts'
import { requestOf } from './request-of-run.ts'
import { finishedRun, storedReport } from './stored-report.ts'

// Runs from before there were cores hold their whole report and all their days. One by one they are simulated again, and keep a core instead
// where that gives the same days; else they stay as they are until their retention ends.

export interface PackDeps {
  readonly db: Kysely<Database>
  readonly config: { readonly dataDir: string }
  readonly compute: Pick<Compute, 'call'>
}

export type Packed = 'packed' | NonNullable<Database['run_report']['kept_whole']>

const deadlineMs = 60_000

/** The next run after `last` that holds a whole report and was not tried yet. */
const nextWhole = (db: Kysely<Database>, last: string | null) =>
  db
    .selectFrom('run_report as f')
    .innerJoin('backtest_run as r', 'r.id', 'f.run_id')
    .select(['r.id', 'r.user_id'])
    .where('f.kept_whole', 'is', null)
    .where('r.status', '=', runStatus.done)
    .$if(last !== null, (query) => query.where('r.id', '>', last!))
    .orderBy('r.id')
    .limit(1)
    .executeTakeFirst()

/**
 * All of them once, one by one, until `goesOn` says no. Those for which no worker can compute now are left for another time.
 * @param onRun called after each: how it ended, null where it was left
 */
export async function packRuns(
  deps: PackDeps,
  goesOn: () => boolean,
  onRun: (runId: string, ended: Packed | null) => unknown,
): Promise<void> {
  let last: string | null = null
  while (goesOn()) {
    const run = await nextWhole(deps.db, last)
    if (!run) return
    last = run.id
    await onRun(run.id, await packRun(deps, run.user_id, run.id))
  }
}

/** Turns the whole report of a user's finished run into a core, or notes why it stays. @returns null: it is gone, or is tried again later */
async function packRun({ db, config, compute }: PackDeps, userId: string, runId: string): Promise<Packed | null> {
  const run = await finishedRun(db, userId, runId)
  const report = run?.headless == null ? null : await storedReport({ db, config }, run)
  if (!run || !report) return null
  const keepWhole = async (why: Exclude<Packed, 'packed'>): Promise<Packed> => {
    await db.updateTable('run_report').set({ kept_whole: why }).where('run_id', '=', runId).execute()
    return why
  }
  if (run.snapshot_id === null) return keepWhole('no data')
  const { rule, settings, custom } = requestOf(run.request)
  const { kind, snapshot_id: snapshotId, index_snapshot_id: indexSnapshotId, stock_snapshot_id: stockSnapshotId } = run
  const ref = { kind, snapshotId, indexSnapshotId, stockSnapshotId }
  const input = { run: { id: runId, rule, settings }, custom, report }
  const made = await compute
    .call('coreOfReport', ref, input, { deadlineMs, asker: null })
    .catch((error: unknown) => (error instanceof ApiError ? error : Promise.reject(error)))
  if (made instanceof ApiError) return mayPass.has(made.code) ? null : keepWhole('refused')
  if (!made) return keepWhole('other days')
  const core = Buffer.from(made.core, 'base64')
  const key = await putCore(config.dataDir, core)
  return db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction.deleteFrom('run_report').where('run_id', '=', runId).executeTakeFirst()
    if (numDeletedRows === 0n) return null
    await transaction.deleteFrom('run_days').where('run_id', '=', runId).execute()
    await insertCore(transaction, runId, core, key)
    await transaction
      .updateTable('backtest_run')
      .set({ ledger_sha256: Buffer.from(made.ledger, 'hex'), spark: Buffer.from(made.spark, 'base64') })
      .where('id', '=', runId)
      .where('user_id', '=', userId)
      .execute()
    return 'packed' as const
  })
}

/** Refusals that say nothing of the run. */
const mayPass: ReadonlySet<number> = new Set([
  errorCodes.busy,
  errorCodes.cancelled,
  errorCodes.computeCrashed,
  errorCodes.computeTimeout,
  errorCodes.noMarketData,
  errorCodes.stopping,
])

const enoughMs = 3_600_000

/** How long a worker must have had nothing to do, and how often it looks. */
export interface PackPace {
  readonly lookMs: number
  readonly restMs: number
}

/**
 * In idle times of a worker: one run a second, by one worker of the site.
 * @param isIdle whether it has nothing else to do
 */
export function startPacking(
  deps: PackDeps,
  isIdle: () => boolean,
  log: (event: string, details: Record<string, unknown>) => void,
  { lookMs, restMs }: PackPace = { lookMs: 60_000, restMs: 1_000 },
): { close(): Promise<void> } {
  const stop = new AbortController()
  const wait = (ms: number) => sleep(ms, undefined, { signal: stop.signal, ref: false }).catch(() => {})
  const goesOn = () => isIdle() && !stop.signal.aborted
  let isEnough = false
  const packSome = async () => {
    let settled = 0
    await packRuns(deps, goesOn, async (run, ended) => {
      if (ended !== null) settled++
      if (ended !== 'packed') log('report of a run stays whole', { run, why: ended })
      await wait(restMs)
    })
    isEnough = settled === 0 && goesOn()
  }
  const loop = async () => {
    while (!stop.signal.aborted) {
      // Those left for want of data are not read again every minute.
      await wait(isEnough ? enoughMs : lookMs)
      if (!goesOn()) continue
      await tryAdvisoryLock(deps.db, locks.packRuns, packSome).catch((error: unknown) => log('packing of runs failed', { err: error }))
    }
  }
  const done = loop()
  return {
    async close() {
      stop.abort()
      await done
    },
  }
}
