/** Whether a worker can compute what it would be given. One that cannot is off: it takes no runs and refuses calls, and looks again. */

import { marketIds } from '@convexa/contract/enums/market'
import { type Kysely, sql } from 'kysely'
import { freeBytes, leastFreeBytes } from '../base/free-space.ts'
import type { ComputeChild } from '../compute/child-handle.ts'
import type { ProcessState } from '../db/process-registry.ts'
import { schemaFits } from '../db/schema-version.ts'
import type { Database } from '../db/tables.ts'
import type { HeldSnapshots } from '../market/held-snapshots.ts'
import { snapshotStoreOf } from '../store/snapshot-store.ts'
import { answersInTime } from './answers-in-time.ts'

/** Codes of `process.reason` and of a worker's `/readyz`, the first that holds. */
export type WorkerReason =
  | 'stopping'
  | 'database'
  | 'schema'
  | 'no_market'
  | 'market_damaged'
  | 'market_missing'
  | 'store'
  | 'child'
  | 'disk'

export interface WorkerReadinessDeps {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly held: HeldSnapshots
  readonly child: Pick<ComputeChild, 'isUsable'>
  now(): Date
  /** Bytes that are free where a folder lies. */
  readonly free?: (folder: string) => Promise<number | null>
}

/** A publication must not take all workers off at once: so long a worker may answer from the one before. */
const mayLackMs = 120_000

/** null: it can compute. */
export function workerReadinessOf({
  db,
  dataDir,
  held,
  child,
  now,
  free = freeBytes,
}: WorkerReadinessDeps): () => Promise<WorkerReason | null> {
  const isMigrated = schemaFits(db)

  return async () => {
    if (!(await answersInTime(sql`select 1`.execute(db)))) return 'database'
    if (!(await isMigrated())) return 'schema'
    const market = await marketReason()
    if (market) return market
    if (!child.isUsable()) return 'child'
    const bytes = await free(dataDir)
    return bytes !== null && bytes < leastFreeBytes ? 'disk' : null
  }

  async function marketReason(): Promise<WorkerReason | null> {
    const found = await held.look()
    if (!found.some(({ newest }) => newest.kind !== 'index')) {
      const published = await db.selectFrom('market_snapshot').select('id').where('kind', 'in', marketIds).limit(1).executeTakeFirst()
      return published ? 'market_damaged' : 'no_market'
    }
    const at = now().getTime()
    const lacks = found.some(
      ({ newest, here }) => here === null || (here.id !== newest.id && at - newest.publishedAt.getTime() > mayLackMs),
    )
    if (!lacks) return null
    // A store that is away is no reason by itself: only what is not here has to be fetched.
    const trouble = snapshotStoreOf(dataDir)?.trouble() ?? null
    if (trouble === null) return 'market_missing'
    return trouble === 'full' ? 'disk' : 'store'
  }
}

/** While it is ready, and after so many looks that found it was not. */
const lookEveryMs = 4_000
const lookAgainMs = [1_000, 2_000, 4_000, 5_000]

export interface ReadinessWatch {
  state(): ProcessState
  /** Something has changed: looks now. */
  look(): void
  /** Not ready from now on. */
  stop(): void
  close(): Promise<void>
}

/** Looks at once and then repeatedly, and calls `changed` after every change, one call at a time. The first look has been made when it resolves. */
export async function watchReadiness(
  reasonNow: () => Promise<WorkerReason | null>,
  changed: (state: ProcessState) => Promise<void>,
  log: (event: string, details: Record<string, unknown>) => void,
): Promise<ReadinessWatch> {
  let state: ProcessState = { ready: false, reason: null }
  let misses = 0
  let isStopping = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | null = null
  let again = false

  const look = async () => {
    const reason = isStopping
      ? 'stopping'
      : await reasonNow().catch((error: unknown) => {
          log('readiness not known', { err: error })
          return 'database' as const
        })
    misses = reason === null ? 0 : misses + 1
    const next: ProcessState = { ready: reason === null, reason }
    if (next.ready === state.ready && next.reason === state.reason) return
    state = next
    if (reason !== 'stopping') log(next.ready ? 'worker takes work' : 'worker takes no work', { reason })
    await changed(next).catch((error: unknown) => log('readiness not told', { err: error }))
  }
  const run = (): Promise<void> => {
    if (looking) {
      again = true
      return looking
    }
    clearTimeout(timer)
    looking = (async () => {
      do {
        again = false
        await look()
      } while (again)
      looking = null
      const wait = misses === 0 ? lookEveryMs : lookAgainMs[Math.min(misses, lookAgainMs.length) - 1]!
      if (!isClosed) timer = setTimeout(() => void run(), wait).unref()
    })()
    return looking
  }
  await run()
  return {
    state: () => state,
    look: () => void run(),
    stop() {
      isStopping = true
      void run()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await looking
    },
  }
}
