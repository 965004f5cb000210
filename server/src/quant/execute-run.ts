import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { runStatus } from '@convexa/contract/enums/run-status'
import { type TradingRules, versionUnder } from '@convexa/engine'
import type { Kysely } from 'kysely'
import { isDatabaseAway } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { ComputeChild } from '../compute/child-handle.ts'
import type { BacktestInput, DataFiles, FinishedRun } from '../compute/protocol.ts'
import { rulesOf } from '../compute/protocol.ts'
import type { DataRef } from '../context/compute.ts'
import type { Database } from '../db/tables.ts'
import { isDamaged } from '../market/damage.ts'
import { runsAtOnce, type Tier } from '../queue/jobs.ts'
import type { Queue } from '../queue/queue.ts'
import { limitReached } from '../usage/benefits.ts'
import { limits } from '../usage/limits.ts'
import { giveBack, passOn, toldSoFar } from './give-back.ts'
import { progressWriter } from './progress-writer.ts'
import { requestOf } from './request-of-run.ts'
import { retryWrite } from './retry-write.ts'
import { appendEvents, type ClaimedRun, claimRun, type Ending, endings, endRun, finishRun } from './run-state.ts'
import { trialsOf } from './trials.ts'

export interface Executor {
  /** Computes a queued run from claim to stored result. Never throws: the run's row says how it ended. */
  execute(runId: string): Promise<void>
  /** The run has ended by another's hand: stop computing it. */
  stop(runId: string): void
  /** Ids of the runs that are being computed. */
  active(): string[]
  /** The worker stops: what is not begun goes back into the queue, what is being computed may end within `graceMs`, the rest is interrupted. */
  end(graceMs: number): Promise<void>
}

export interface ExecutorDeps {
  readonly db: Kysely<Database>
  readonly workerId: string
  readonly child: Pick<ComputeChild, 'run'>
  /** Puts a core into the object store. @returns its key; null or absent: its row takes it */
  readonly putCore?: (core: Uint8Array) => Promise<string | null>
  readonly rules: TradingRules
  readonly queue: Pick<Queue, 'addRun' | 'dropRun'>
  /** null: a snapshot is not here, or not whole. */
  filesOf(ref: DataRef): Promise<DataFiles | null>
  log(event: string, details: Record<string, unknown>): void
}

/** How long a result waits for a database that is away (reliability.md 4.2). */
const saveForMs = 30_000

export function executor(deps: ExecutorDeps): Executor {
  const { db, workerId, child } = deps
  const active = new Map<string, AbortController>()
  /** Those that wait to be claimed too. */
  const taken = new Set<Promise<void>>()
  let leaving = false
  let stopping = false

  const execute = (runId: string): Promise<void> => {
    const done = executeTaken(runId).finally(() => taken.delete(done))
    taken.add(done)
    return done
  }

  const executeTaken = async (runId: string): Promise<void> => {
    const run = await claim(runId)
    if (!run) return
    if (leaving) return leaveToOthers(run)
    const stop = new AbortController()
    active.set(runId, stop)
    try {
      const ending = await compute(run, stop.signal)
      if (ending === 'no data') await returnRun(run)
      else if (ending) await retryWrite(() => endRun(db, null, runId, ending, { workerId }))
    } catch (error) {
      deps.log('run failed', { run: runId, error: error instanceof Error ? error.stack : String(error) })
      await retryWrite(() => endRun(db, null, runId, endings.crashed, { workerId }))
    } finally {
      active.delete(runId)
    }
  }

  const claim = async (runId: string): Promise<ClaimedRun | null> => {
    for (;;) {
      const by = { workerId, engineVersion: versionUnder(deps.rules), atOnce: (tier: Tier) => runsAtOnce[tier] }
      // Not begun: for another worker.
      const claimed = leaving ? 'avoid' : await retryWrite(() => claimRun(db, runId, by))
      if (claimed === 'avoid') {
        await retryWrite(() => passOn(db, deps.queue, runId))
        return null
      }
      if (claimed !== 'wait') return claimed
      await sleep(200)
    }
  }

  /** It was claimed in the moment in which this worker began to stop. */
  const leaveToOthers = async (run: ClaimedRun): Promise<void> => {
    const given = await retryWrite(() => giveBack(db, deps.queue, run, workerId))
    if (given === 'enough') await retryWrite(() => endRun(db, null, run.id, endings.stopping, { workerId }))
  }

  /** Back into the queue for another worker; a damaged snapshot is damaged for all. */
  const returnRun = async (run: ClaimedRun): Promise<void> => {
    const { snapshot_id: snapshotId, index_snapshot_id: indexSnapshotId, stock_snapshot_id: stockSnapshotId } = run.row
    const isLost = await retryWrite(() => isDamaged(db, [snapshotId, indexSnapshotId, stockSnapshotId]))
    const given = isLost ? 'enough' : await retryWrite(() => giveBack(db, deps.queue, run, workerId))
    if (given === true) deps.log('run given back', { run: run.id, attempt: run.attempt + 1 })
    if (given !== 'enough') return
    await retryWrite(() => endRun(db, null, run.id, isLost ? endings.dataDamaged : endings.dataMissing, { workerId }))
  }

  /** null: stored, or ended by another. */
  const compute = async (run: ClaimedRun, signal: AbortSignal): Promise<Ending | 'no data' | null> => {
    const { row } = run
    const { snapshot_id: snapshotId, index_snapshot_id: indexSnapshotId, stock_snapshot_id: stockSnapshotId } = row
    if (await retryWrite(() => isDamaged(db, [snapshotId, indexSnapshotId, stockSnapshotId]))) return 'no data'
    const files = snapshotId && (await retryWrite(() => deps.filesOf({ kind: row.kind, snapshotId, indexSnapshotId, stockSnapshotId })))
    if (!files) return 'no data'
    const wall = AbortSignal.timeout(limits[run.tier].wallMinutes * 60_000)
    const progress = progressWriter(
      (events) => appendEvents(db, run.id, workerId, events),
      () => stopRun(run.id),
      ...(run.attempt > 0 ? [await retryWrite(() => toldSoFar(db, run.id))] : []),
    )
    const work = { call: 'backtest', input: await retryWrite(() => inputOf(db, run)) } as const
    const outcome = await child.run(
      { files, work, userId: run.userId, ...(run.guest && { guest: true as const }) },
      AbortSignal.any([signal, wall]),
      progress.tell,
    )
    await progress.close()
    if (signal.aborted) return stopping ? endings.stopping : null
    if (wall.aborted) return { ...endings.tooLong, message: limitReached(run.tier, 'wall').message }
    const { rule, trials } = work.input
    if (outcome.ok) return save(run, { ...(outcome.value as FinishedRun), trials: 'group' in rule ? null : trials })
    const { code, message } = outcome
    // Loading comes first: nothing has been computed.
    if (code === errorCodes.noMarketData) return 'no data'
    // 2302x are ours: the process died or hung. The rest the asker can mend, and pays nothing for what was not computed.
    if (code === errorCodes.computeCrashed || code === errorCodes.computeTimeout || code === errorCodes.stopping)
      return { status: runStatus.interrupted, code, refund: true }
    return { status: runStatus.failed, code, message, refund: true }
  }

  const save = async (run: ClaimedRun, finished: Parameters<typeof finishRun>[3]): Promise<Ending | null> => {
    const until = performance.now() + saveForMs
    for (let wait = 100; ; wait = Math.min(2_000, wait * 2)) {
      try {
        const coreKey = (await deps.putCore?.(finished.core)) ?? null
        await finishRun(db, run, workerId, { ...finished, coreKey })
        return null
      } catch (error) {
        deps.log('result not saved', { run: run.id, error: String(error) })
        if (!isDatabaseAway(error) || performance.now() > until) return endings.notSaved
        await sleep(wait)
      }
    }
  }

  const stopRun = (runId: string) => active.get(runId)?.abort()

  return {
    execute,
    stop: stopRun,
    active: () => [...active.keys()],
    async end(graceMs) {
      const idle = async (ms: number) => {
        const until = performance.now() + ms
        while (taken.size > 0 && performance.now() < until) await sleep(20)
      }
      leaving = true
      await idle(graceMs)
      stopping = true
      for (const stop of active.values()) stop.abort()
      await idle(5_000)
    },
  }
}

const inputOf = async (db: Kysely<Database>, { id, userId, row }: ClaimedRun): Promise<BacktestInput> => {
  const { rule, settings, custom } = requestOf(row.request)
  const { kind, params_hash: paramsHash, created_at: before } = row
  return {
    runId: id,
    trials: await trialsOf(db, { userId, kind, paramsHash, rules: rulesOf(rule), before }),
    ...{ rule, settings, custom },
    about: {
      params_hash: row.params_hash,
      factor_versions: Object.fromEntries(custom.map(({ key, version }) => [key, version])),
      created_at: shanghaiTime(row.created_at),
    },
  }
}
