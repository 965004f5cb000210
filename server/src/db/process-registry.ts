import { type Kysely, sql } from 'kysely'
import type { ClientBase } from 'pg'
import { v7 as uuid } from 'uuid'
import { programVersion } from '../base/program-version.ts'
import type { DirectSession } from './direct-session.ts'
import { locks } from './locks.ts'
import type { Database } from './tables.ts'

/** What a process says of itself. `reason`: a code why it is not ready. */
export interface ProcessState {
  readonly ready: boolean
  readonly reason: string | null
}

export interface ProcessLock {
  processId: string
  /** Says how the process is, now and with each beat from now on. */
  tell(state: ProcessState): void
  close(): Promise<void>
}

export interface ProcessDescription {
  readonly role: Database['process']['role']
  readonly address?: string
  readonly secret?: string
  /** Backtests that it computes at once. */
  readonly slots?: number
  /** Version of its engine. */
  readonly engine?: string
}

/** How often a process writes how it is. */
const beatMs = 2_000

/**
 * Enters this process in the table `process` and holds its lock (second key: its row's `lock_key`) until it ends: a free lock means a dead
 * process, at once and without a clock. After a restart of PostgreSQL the same row has a lock again. On the same session it writes every two
 * seconds that it runs and how it is; until `tell` it is not ready.
 * @throws when PostgreSQL cannot be reached
 */
export async function announce(session: DirectSession, about: ProcessDescription): Promise<ProcessLock> {
  const processId = uuid()
  let lockKey = 0
  let state: ProcessState = { ready: false, reason: null }
  let written: Promise<unknown> | null = null
  let again = false

  /** One statement at a time: those of a database that does not answer would pile up. */
  const beat = () => {
    if (written) {
      again = true
      return
    }
    again = false
    const values = [processId, state.ready, state.reason]
    // A session that broke is opened again, and what is so is written then.
    const done = session.query('update process set seen_at = now(), ready = $2, reason = $3 where id = $1', values).catch(() => {})
    written = done.then(() => {
      written = null
      if (again) beat()
    })
  }

  const enter = async (client: ClientBase) => {
    // Another one each time: a broken session may hold the last for as long as the server does not know that it is broken.
    lockKey = Number((await client.query(`select nextval('process_lock_key') as key`)).rows[0].key)
    // The lock comes first: a row without its lock would read as a dead process.
    await client.query('select pg_advisory_lock($1, $2)', [locks.presence, lockKey])
    await client.query(
      `insert into process (id, role, lock_key, address, secret, slots, program, engine, ready, reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (id) do update set lock_key = excluded.lock_key, ready = excluded.ready, reason = excluded.reason, seen_at = now()`,
      [
        ...[processId, about.role, lockKey, about.address ?? null, about.secret ?? null],
        ...[about.slots ?? 0, programVersion, about.engine ?? null, state.ready, state.reason],
      ],
    )
  }
  const presence = await session.hold(enter, (client) => client.query('select pg_advisory_unlock($1, $2)', [locks.presence, lockKey]))
  const timer = setInterval(beat, beatMs).unref()
  return {
    processId,
    tell(next) {
      state = next
      beat()
    },
    async close() {
      clearInterval(timer)
      await presence.close()
    },
  }
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

/** A worker that has not shown for so long that it runs is frozen: it gets no calls. */
const frozenAfterSeconds = 6

const isFrozen = (alias: string) =>
  sql<boolean>`(${sql.ref(`${alias}.seen_at`)} <= now() - make_interval(secs => ${frozenAfterSeconds}::double precision))`

/** SQL condition: the process of the row `alias` is alive, not frozen, and ready. */
export const isReady = (alias: string) => sql<boolean>`(${sql.ref(`${alias}.ready`)} and not ${isFrozen(alias)} and ${lives(alias)})`

/** The same of a worker: it takes work. */
export const takesWork = (alias: string) => sql<boolean>`(${sql.ref(`${alias}.role`)} = 'worker' and ${isReady(alias)})`

export interface LiveWorker {
  readonly id: string
  readonly address: string
  readonly secret: string
  /** Version of its program; null: of before it was written down. */
  readonly program: string | null
  /** It runs and takes work. */
  readonly ready: boolean
  /** It is alive and has not beaten for six seconds: it is stopped, or its machine stands still. */
  readonly frozen: boolean
  /** A code why it takes none; null also before it has looked. */
  readonly reason: string | null
  /** Ids of the snapshots that it has whole. */
  readonly holds: ReadonlySet<string>
}

/** Workers that live and have an address. */
export async function liveWorkers(db: Kysely<Database>): Promise<LiveWorker[]> {
  const rows = await db
    .selectFrom('process as p')
    .select(['p.id', 'p.address', 'p.secret', 'p.program', 'p.reason', takesWork('p').as('ready'), isFrozen('p').as('frozen')])
    .select(sql<string[]>`array(select snapshot_id::text from process_snapshot where process_id = p.id)`.as('holds'))
    .where('p.role', '=', 'worker')
    .where('p.address', 'is not', null)
    .where(lives('p'))
    .orderBy('p.id')
    .execute()
  return rows.flatMap(({ address, secret, holds, ...row }) =>
    address && secret ? [{ ...row, address, secret, holds: new Set(holds) }] : [],
  )
}
