import { readdir, readFile } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './tables.ts'

const folder = new URL('./migrations/', import.meta.url)

/**
 * Brings the tables up to the newest `migrations/NNNN-name.sql`, each in its turn, all in one transaction.
 * Any number of processes may do this at once: a lock in the database lets one work and the others find it done.
 * @returns names of the migrations that were applied by this call
 * @throws the database's error; nothing was changed then
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/** Names of the migrations that this code knows and the database lacks. */
export async function pendingMigrations(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: readMigrations } })
  const all = await migrator.getMigrations()
  return all.filter((one) => !one.executedAt).map((one) => one.name)
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file)).sort()
  const entries = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8')
      return [file.replace(/\.sql$/, ''), { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) }] as const
    }),
  )
  return Object.fromEntries(entries)
}
