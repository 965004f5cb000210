/** What an api does beside its requests: it writes down whether it is ready, and says in the log what it cannot take up. */

import type { AppContext } from '../context/app-context.ts'
import type { ProcessLock } from '../db/process-registry.ts'
import { currentSnapshot, newestOfAll, readWhole } from '../market/current-snapshot.ts'
import { readinessOf } from './readiness.ts'

/** Of an idle site each look costs a handful of queries (decision 0198). */
const lookEveryMs = 4_000
const newestEveryMs = 20_000
/** A published snapshot that is not in use for so long is logged, at most once in `logEveryMs`. */
const takeUpMs = 120_000
const logEveryMs = 60_000

/** `isStuck`: the process serves nothing well any more. */
export function tellReadiness(
  context: AppContext,
  presence: Pick<ProcessLock, 'tell'>,
  isStuck: () => boolean,
  everyMs = lookEveryMs,
): { close(): Promise<void> } {
  const { db, config, log, now, damage } = context
  const readiness = readinessOf(context)
  let lookAtNewestAt = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()
  let isClosed = false

  const look = async () => {
    const [reason = null] = isStuck() ? (['busy'] as const) : (await readiness()).reasons
    if (!isClosed) presence.tell({ ready: reason === null, reason })
    if (reason === 'database' || reason === 'schema' || performance.now() < lookAtNewestAt) return
    lookAtNewestAt = performance.now() + newestEveryMs
    await lookAtNewest()
  }

  /** What is published and not in use here. */
  const lookAtNewest = async () => {
    for (const newest of await newestOfAll(db)) {
      if (newest.kind === 'index') continue
      const current = await currentSnapshot(db, config.dataDir, newest.kind)
      if (current?.id === newest.id) continue
      await readWhole(config.dataDir, newest).catch((error: unknown) => damage.suspectError(error))
      if (now().getTime() - newest.publishedAt.getTime() < takeUpMs || performance.now() - loggedAt < logEveryMs) continue
      loggedAt = performance.now()
      log.warn({ kind: newest.kind, version: newest.dataVersion, used: current?.dataVersion }, 'snapshot not taken up')
    }
  }

  const run = () => {
    looking = look().catch((error: unknown) => log.warn({ err: error }, 'readiness not known'))
    looking.then(() => {
      if (!isClosed) timer = setTimeout(run, everyMs).unref()
    })
  }
  let timer = setTimeout(run, 0).unref()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      presence.tell({ ready: false, reason: 'stopping' })
      await looking
    },
  }
}
