import { type Kysely, sql } from 'kysely'
import { sessionOf } from './connect.ts'
import type { Database } from './tables.ts'

/**
 * Does the work under an advisory lock of PostgreSQL, which is exclusive over all machines, held by the session beside `db`. `lost` tells that the
 * session broke and the lock may be another's; `of` = which one of several works of the kind.
 * @returns false: another holds the lock, and nothing was done
 */
export const tryAdvisoryLock = (
  db: Kysely<Database>,
  lock: number,
  work: (lost: AbortSignal) => Promise<unknown>,
  of = 0,
): Promise<boolean> => sessionOf(db).tryLock(lock, work, of)

/**
 * As `tryAdvisoryLock`, for work that is done on the connection that holds the lock: `own`, of a pool that leads to PostgreSQL directly.
 */
export async function onLockedConnection(
  db: Kysely<Database>,
  lock: number,
  work: (own: Kysely<Database>) => Promise<unknown>,
): Promise<boolean> {
  return db.connection().execute(async (own) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${lock}, 0) as mine`.execute(own)
    if (!rows[0]?.mine) return false
    try {
      await work(own)
      return true
    } finally {
      await sql`select pg_advisory_unlock(${lock}, 0)`.execute(own)
    }
  })
}
