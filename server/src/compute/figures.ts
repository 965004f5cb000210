import type { Kysely } from 'kysely'
import { z } from 'zod'
import { liveWorkers } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { lostMessages } from '../message/lost-messages.ts'
import { storeFigures } from '../store/store-figures.ts'
import type { ComputeChild } from './child-handle.ts'
import { secretHeader } from './remote.ts'
import { residentBytes } from './resident.ts'

/** How a worker and its compute child are. Bytes are null where the platform does not say. */
const WorkerFigures = z.object({
  seconds: z.number(),
  bytes: z.number(),
  /** Its cache of snapshots; null: it has none. */
  cacheBytes: z.number().nullable().default(null),
  /** Messages that it lost since its start. */
  messagesLost: z.int().default(0),
  store: z.record(z.string(), z.object({ count: z.int(), seconds: z.number(), errors: z.int() })).default({}),
  child: z.object({ runs: z.boolean(), bytes: z.number().nullable(), load: z.int(), ends: z.int(), mismatches: z.int() }),
})
export type WorkerFigures = z.output<typeof WorkerFigures>

export const figuresPath = '/figures'

export const figuresOf = (
  child: Pick<ComputeChild, 'pid' | 'load' | 'ends' | 'mismatches'>,
  cacheBytes: number | null = null,
): WorkerFigures => ({
  seconds: process.uptime(),
  bytes: process.memoryUsage.rss(),
  ...{ cacheBytes, messagesLost: lostMessages(), store: storeFigures() },
  child: {
    runs: child.pid !== undefined,
    bytes: child.pid === undefined ? null : residentBytes(child.pid),
    load: child.load(),
    ends: child.ends(),
    mismatches: child.mismatches(),
  },
})

const patienceMs = 1_000

/** Figures of every live worker; null for a worker that does not answer. */
export async function workerFigures(db: Kysely<Database>): Promise<(WorkerFigures | null)[]> {
  const workers = await liveWorkers(db)
  return Promise.all(
    workers.map(async ({ address, secret }) => {
      try {
        const init = { headers: { [secretHeader]: secret }, signal: AbortSignal.timeout(patienceMs) }
        const response = await fetch(`${address}${figuresPath}`, init)
        return WorkerFigures.parse(await response.json())
      } catch {
        return null
      }
    }),
  )
}
