import { type Kysely, sql } from 'kysely'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'

/**
 * SQL condition: the process of the row `alias` of the table `process` is alive, because it holds its session lock
 * (db/process-registry.ts).
 */
export const lives = (alias: string) => sql<boolean>`exists (
  select 1 from pg_locks
  where locktype = 'advisory' and classid = ${locks.presence} and objsubid = 2 and granted
    and objid::bigint = ${sql.ref(`${alias}.lock_key`)}
    and database = (select oid from pg_database where datname = current_database())
)`

export interface LiveWorker {
  readonly id: string
  readonly address: string
  readonly secret: string
}

/** Workers that live and can be called. */
export async function liveWorkers(db: Kysely<Database>): Promise<LiveWorker[]> {
  const rows = await db
    .selectFrom('process as p')
    .select(['p.id', 'p.address', 'p.secret'])
    .where('p.role', '=', 'worker')
    .where('p.address', 'is not', null)
    .where(lives('p'))
    .orderBy('p.id')
    .execute()
  return rows.flatMap(({ id, address, secret }) => (address && secret ? [{ id, address, secret }] : []))
}
