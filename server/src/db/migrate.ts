import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../base/start-error.ts'
import type { Database } from './tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * Brings the tables up to the newest `migrations/NNNN-name.sql` or `.ts`, each in its turn, all in one transaction.
 * Any number of processes may do this at once: a lock in the database lets one work and the others find it done.
 * @returns names of the migrations that were applied by this call
 * @throws StartError for an encoding that cannot hold our texts, for tables that are not of this version, not ours or in another schema, or
 * that we may not make, else the database's error; nothing was changed then
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  await requireUsable(db)
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw problemOf(error, results?.find(({ status }) => status === 'Error')?.migrationName) ?? error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

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

/** What an operator can solve; null: the database is away, or a fault of ours. */
function problemOf(error: unknown, failed: string | undefined): StartError | null {
  if (!(error instanceof Error)) return null
  // Kysely has one kind of error for all that its table of migrations may say.
  if (error.message.startsWith('corrupted migrations')) {
    const [, newer] = /previously executed migration (\S+) is missing/.exec(error.message) ?? []
    return newer
      ? new StartError(`数据库已由更新的版本升级（${newer}），本版本不认识它：请使用更新的版本，或连接另一个数据库`)
      : new StartError('数据库的升级记录（表 kysely_migration）已损坏：请从备份恢复数据库')
  }
  if ('code' in error && error.code === '42501')
    return new StartError(`数据库账号没有建立表的权限（${error.message}）：请把数据库或它的 public 模式的 CREATE 权限授予它`)
  // Names that are taken, rows that do not fit: a database of something else, or tables that were changed by hand.
  if (failed && 'code' in error && /^(42|2[23])/.test(String(error.code)))
    return new StartError(`数据库升级 ${failed} 无法完成，什么也没有改变：数据库里的表不是本产品建立的，或被改动过（${error.message}）`)
  return null
}

/** Names of the migrations that this code knows and the database lacks. */
export async function pendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const all = await migrator.getMigrations()
  return all.filter((one) => !one.executedAt).map((one) => one.name)
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.(sql|ts)$/.test(file)).sort()
  const entries = await Promise.all(
    files.map(async (file) => {
      const name = file.replace(/\.\w+$/, '')
      // What no statement can do is a program.
      if (file.endsWith('.ts')) return [name, (await import(new URL(file, folder).href)) as Migration] as const
      const text = await readFile(new URL(file, folder), 'utf8')
      return [name, { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) }] as const
    }),
  )
  return Object.fromEntries(entries)
}
