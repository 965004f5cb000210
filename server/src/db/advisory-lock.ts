import { type Kysely, sql } from 'kysely'
import type { Database } from './tables.ts'

/**
 * Does the work under an advisory lock of PostgreSQL, which is exclusive over all machines. `own` is the connection that holds the lock and loses it when
 * it ends; `of` = which one of several works of the kind.
 * @returns false: another process holds the lock, and nothing was done
 */
export async function tryAdvisoryLock(
  db: Kysely<Database>,
  lock: number,
  work: (own: Kysely<Database>) => Promise<unknown>,
  of = 0,
): Promise<boolean> {
  return db.connection().execute(async (own) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${lock}, ${of}) as mine`.execute(own)
    if (!rows[0]?.mine) return false
    try {
      await work(own)
      return true
    } finally {
      await sql`select pg_advisory_unlock(${lock}, ${of})`.execute(own)
    }
  })
}
