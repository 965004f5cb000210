import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { holdSession } from './connect.ts'
import { locks } from './locks.ts'
import type { Database } from './tables.ts'

export interface ProcessLock {
  processId: string
  close(): Promise<void>
}

/**
 * Enters this process in the table `process` and holds its lock (second key: its row's `lock_key`) until it ends: a free lock means a dead
 * process, at once and without a clock. After a restart of PostgreSQL the same row and lock are taken again.
 * @throws when PostgreSQL cannot be reached
 */
export async function announce(
  connectionString: string,
  about: { role: Database['process']['role']; address?: string; secret?: string },
): Promise<ProcessLock> {
  const processId = uuid()
  let lockKey: number | null = null
  const session = await holdSession(connectionString, `convexa-${about.role}-presence`, async (client) => {
    lockKey ??= Number((await client.query(`select nextval('process_lock_key') as key`)).rows[0].key)
    // The lock comes first: a row without its lock would read as a dead process.
    await client.query('select pg_advisory_lock($1, $2)', [locks.presence, lockKey])
    await client.query(
      `insert into process (id, role, lock_key, address, secret) values ($1, $2, $3, $4, $5)
       on conflict (id) do nothing`,
      [processId, about.role, lockKey, about.address ?? null, about.secret ?? null],
    )
  })
  return { processId, close: () => session.close() }
}

/**
 * SQL condition: the process of the row `alias` of the table `process` is alive, because it holds its session lock (`announce`).
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
