import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { entryFile } from '../../src/base/program-files.ts'
import { connect } from '../../src/db/connect.ts'
import { readMigrations } from '../../src/db/migration-files.ts'
import { testSecret } from '../fixtures/code.ts'

const main = entryFile('main')

/**
 * Migrates an empty database by `migrate` processes that are killed (−9) as soon as the database holds `marks` migrations, and one that is
 * not. @returns the number of kills that met a migration under way, the names that are missing afterwards, and the tables as text
 */
export async function migrateKilled(url: string, marks: readonly number[]): Promise<{ kills: number; missing: string[]; tables: string }> {
  const { db, close } = connect(url, { max: 2 })
  try {
    let kills = 0
    for (const mark of marks) if (await killAt(url, mark, () => applied().then((names) => names.length))) kills++
    const last = start(url)
    const [code] = (await once(last, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`migrate ended with ${code}`)
    const there = new Set(await applied())
    const missing = (await readMigrations()).map(({ name }) => name).filter((name) => !there.has(name))
    return { kills, missing, tables: await describeTables(url) }
  } finally {
    await close()
  }

  async function applied(): Promise<string[]> {
    const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
    if (!rows[0]!.there) return []
    return (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows.map(({ name }) => name)
  }
}

function start(url: string) {
  const env = { ...process.env, DATABASE_URL: url, SECRET_KEY: testSecret }
  return spawn(process.execPath, [main, 'migrate'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** @returns false: it was done before it could be killed */
async function killAt(url: string, mark: number, count: () => Promise<number>): Promise<boolean> {
  const child = start(url)
  let ended = false
  const exited = once(child, 'exit').then(() => {
    ended = true
  })
  while (!ended && (await count()) < mark) await sleep(1)
  const isKilled = !ended && child.kill('SIGKILL')
  await exited
  return isKilled && child.signalCode === 'SIGKILL'
}

/** Columns, indexes and constraints of all our tables, in order, to compare two databases. */
export async function describeTables(url: string): Promise<string> {
  const { db, close } = connect(url, { max: 1 })
  try {
    const { rows } = await sql<{ line: string }>`
      select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
        from information_schema.columns where table_schema = 'public'
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
        where connamespace = 'public'::regnamespace
      order by 1`.execute(db)
    return rows.map(({ line }) => line).join('\n')
  } finally {
    await close()
  }
}
