import { type Kysely, sql } from 'kysely'
import { shanghaiDay } from '../base/time.ts'
import type { Database } from '../db/tables.ts'

/** Item of `quota_use`: milliseconds of a processor that a user's work took today. */
export const computeItem = 'compute_ms'

/** What users' work took, written down once a second: a screen of 20 ms must not wait for a commit. */
export interface Ledger {
  add(userId: string, ms: number): void
  /** Writes what has not been written. */
  close(): Promise<void>
}

const writeEveryMs = 1_000

export function openLedger(db: Kysely<Database>, log: (event: string, details: Record<string, unknown>) => void): Ledger {
  const owed = new Map<string, number>()
  let writing = Promise.resolve()

  const write = async () => {
    const due = [...owed].filter(([, ms]) => ms >= 1)
    if (due.length === 0) return
    for (const [userId] of due) owed.delete(userId)
    try {
      await sql`
        insert into quota_use as q (user_id, day, item, used)
        select u.id, ${shanghaiDay()}, ${computeItem}, due.ms
        from unnest(${due.map(([userId]) => userId)}::uuid[], ${due.map(([, ms]) => Math.round(ms))}::integer[]) as due (id, ms)
          join app_user u on u.id = due.id
        on conflict (user_id, day, item) do update set used = q.used + excluded.used`.execute(db)
    } catch (error) {
      // Owed until the database is back; lost with this worker, to the user's good.
      for (const [userId, ms] of due) owed.set(userId, (owed.get(userId) ?? 0) + ms)
      log('compute time not written', { error: String(error) })
    }
  }
  const timer = setInterval(() => {
    writing = writing.then(write)
  }, writeEveryMs)
  return {
    add: (userId, ms) => void owed.set(userId, (owed.get(userId) ?? 0) + ms),
    async close() {
      clearInterval(timer)
      await writing
      await write()
    },
  }
}
