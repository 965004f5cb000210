import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../base/api-error.ts'
import { lives } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { jobs } from '../queue/jobs.ts'

/** Backtests that may wait in the whole installation: at least `least`, and `perSlot` for each that the ready workers can compute at once. */
export interface QueueLimits {
  readonly least: number
  readonly perSlot: number
}

interface Capacity {
  /** Backtests that the living, ready workers compute at once. */
  readonly slots: number
  /** Backtests that came to their end in the last minute. */
  readonly finished: number
}

const readEveryMs = 2_000
/** A worker writes every two seconds that it runs; one that has not for so long is frozen. */
const frozenAfter = sql`interval '6 seconds'`
const shortestWait = 5
const longestWait = 120

const known = new WeakMap<object, { at: number; capacity: Promise<Capacity> }>()

export interface QueueCapacity {
  /** Backtests that may wait. */
  readonly most: number
  /** The refusal where `waiting` do (23003), with the seconds after which there is room, as far as the last minute tells. */
  full(waiting: number): ApiError
}

/** How many backtests may wait now; looked up at most every two seconds, and before a transaction of the caller. */
export async function queueCapacity(db: Kysely<Database>, { least, perSlot }: QueueLimits): Promise<QueueCapacity> {
  const { slots, finished } = await capacityOf(db)
  return {
    most: Math.max(least, perSlot * slots),
    full: (waiting) => {
      const seconds = waitSeconds(waiting, finished)
      return new ApiError(errorCodes.queueFull, `当前回测任务较多，请约 ${seconds} 秒后重试`, { retryAfterSeconds: seconds })
    },
  }
}

/** Seconds until as many are done as wait, at the pace of the last minute: 5 to 120. */
export function waitSeconds(waiting: number, finishedLastMinute: number): number {
  if (finishedLastMinute === 0) return longestWait
  return Math.min(longestWait, Math.max(shortestWait, Math.ceil((waiting / finishedLastMinute) * 60)))
}

function capacityOf(db: Kysely<Database>): Promise<Capacity> {
  const last = known.get(db)
  const now = performance.now()
  if (last && now - last.at < readEveryMs) return last.capacity
  const capacity = readCapacity(db)
  known.set(db, { at: now, capacity })
  // The next one to ask tries again.
  capacity.catch(() => known.delete(db))
  return capacity
}

async function readCapacity(db: Kysely<Database>): Promise<Capacity> {
  const { rows } = await sql<Capacity>`select
    (select coalesce(sum(p.slots), 0) from process p
      where p.role = 'worker' and p.ready and p.seen_at > now() - ${frozenAfter} and ${lives('p')}) as slots,
    (select count(*) from pgboss.job
      where name = ${jobs.run.name} and state = 'completed' and completed_on > now() - interval '1 minute') as finished`.execute(db)
  return rows[0] ?? { slots: 0, finished: 0 }
}
