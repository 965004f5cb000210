import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { sqlStates } from '../base/sql-states.ts'
import { StartError } from '../base/start-error.ts'
import { type MigrationFile, readMigrations } from './migration-files.ts'
import { schemaProblem, schemaState } from './schema-version.ts'
import type { Database } from './tables.ts'

/** The key of Kysely's own migrator: programs of before this loop exclude us, and we them. */
const lockKey = sql.raw('3853314791062309107')
const lockPollMs = 200
/** A migration never lets the site queue behind its locks: it gives way and is tried again, whole. */
const lockTimeout = '3s'
const mostTries = 20
const retryMs = 500

/**
 * Brings the tables up to the newest migration of this program: one after the other, each in a transaction of its own together with its row
 * of `kysely_migration`, so that a process that is killed leaves a state from which the next one goes on. Names of newer programs are left alone.
 * Any number of processes may do this at once: one works, the others find it done.
 * @returns names of the migrations that were applied by this call
 * @throws StartError for an encoding that cannot hold our texts, for tables that need a newer program, are not ours or in another schema, or
 * that we may not make, else the database's error; what was applied before stays
 */
export async function migrate(db: Kysely<Database>, files?: readonly MigrationFile[]): Promise<string[]> {
  await requireUsable(db)
  const own = files ?? (await readMigrations())
  const names = own.map(({ name }) => name)
  return db.connection().execute(async (session) => {
    // Asked, not waited for in the database: a waiting statement holds a snapshot, and `create index concurrently` waits for all snapshots.
    while (!(await isTaken(session))) await sleep(lockPollMs)
    try {
      const state = await schemaState(session, names)
      const problem = schemaProblem({ ...state, pending: [] })
      if (problem !== null) throw new StartError(problem)
      if (state.pending.length > 0) await makeTable(session)
      for (const name of state.pending) await applyOne(session, own.find((file) => file.name === name)!)
      return [...state.pending]
    } finally {
      await sql`select pg_advisory_unlock(${lockKey})`.execute(session)
    }
  })
}

async function isTaken(session: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_lock(${lockKey}) as mine`.execute(session)
  return rows[0]?.mine === true
}

/** As Kysely's migrator makes it. @throws StartError where we may make no tables */
async function makeTable(session: Kysely<Database>): Promise<void> {
  try {
    await sql`create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(session)
  } catch (error) {
    throw problemOf(error, null) ?? error
  }
}

async function applyOne(session: Kysely<Database>, file: MigrationFile): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await (file.inTransaction ? applyInTransaction(session, file) : applyAlone(session, file))
    } catch (error) {
      if (tries === mostTries || !isLocked(error)) throw problemOf(error, file.name) ?? error
      await sleep(retryMs)
    }
  }
}

async function applyInTransaction(session: Kysely<Database>, file: MigrationFile): Promise<void> {
  await session.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(transaction)
    await file.apply(transaction)
    await note(transaction, file)
  })
}

/** The statement may be repeated: it can be done and its row missing. What an interrupted try left of an index is put away first. */
async function applyAlone(session: Kysely<Database>, file: MigrationFile): Promise<void> {
  await sql`set lock_timeout = ${sql.lit(lockTimeout)}`.execute(session)
  try {
    const [, index] = /create (?:unique )?index concurrently if not exists (\w+)/i.exec(file.text ?? '') ?? []
    if (index && (await isInvalid(session, index))) await sql`drop index concurrently if exists ${sql.id(index)}`.execute(session)
    await file.apply(session)
  } finally {
    await sql`reset lock_timeout`.execute(session)
  }
  await note(session, file)
}

async function isInvalid(session: Kysely<Database>, index: string): Promise<boolean> {
  const { rows } = await sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`.execute(session)
  return rows.length > 0
}

async function note(db: Kysely<Database>, { name }: MigrationFile): Promise<void> {
  await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(db)
}

/** A table that the site is using (lock_not_available), or a deadlock with it. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === sqlStates.lockNotAvailable || error.code === sqlStates.deadlockDetected)

/** Asked before the first migration. @throws StartError */
async function requireUsable(db: Kysely<Database>): Promise<void> {
  const { encoding, elsewhere } = await usability(db)
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
    throw new StartError(`数据库的编码是 ${encoding}，存不下中文：请建立编码为 UTF8 的数据库，再用环境变量 DATABASE_URL 连接它`)
  if (elsewhere !== null)
    throw new StartError(
      `数据库里的表在模式 ${elsewhere}，不在 public：请在环境变量 DATABASE_URL 里加上 options=-c%20search_path%3D${encodeURIComponent(elsewhere)}`,
    )
}

/** A warning for the operator where the database works but should be another one; null: nothing to say. */
export async function encodingWarning(db: Kysely<Database>): Promise<string | null> {
  const { encoding } = await usability(db)
  return encoding === 'UTF8' ? null : `数据库的编码是 ${encoding}，可以使用，但不检查文字是否完整：建议在方便时迁移到编码为 UTF8 的数据库`
}

async function usability(db: Kysely<Database>): Promise<{ encoding: string; elsewhere: string | null }> {
  const { rows } = await sql<{ encoding: string; elsewhere: string | null }>`
    select current_setting('server_encoding') as encoding, (
      select schemaname from pg_tables where tablename = 'kysely_migration' and to_regclass('kysely_migration') is null limit 1
    ) as elsewhere`.execute(db)
  return rows[0]!
}

/** What an operator can solve; null: the database is away, or a fault of ours. `failed`: the migration under way. */
function problemOf(error: unknown, failed: string | null): StartError | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === sqlStates.insufficientPrivilege)
    return new StartError(`数据库账号没有建立表的权限（${error.message}）：请把数据库或它的 public 模式的 CREATE 权限授予它`)
  if (failed === null) return null
  if (isLocked(error))
    return new StartError(`数据库升级 ${failed} 等不到它要改的表（试了 ${mostTries} 次）：请在访问少的时候再运行，已完成的升级不会重做`)
  // Names that are taken, rows that do not fit: a database of something else, or tables that were changed by hand.
  if (/^(42|2[23])/.test(String(error.code)))
    return new StartError(`数据库升级 ${failed} 无法完成，它的改动已撤销：数据库里的表不是本产品建立的，或被改动过（${error.message}）`)
  return null
}
