/**
 * `npm run drill:move`: `convexa database copy` is killed (−9) again and again, by the operator's side and by the target's connection, and begun
 * anew. Prints what was seen; exit 1 where a killed copy left a row or took a foreign key, or where the last, whole copy differs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Store } from '../../../src/db/connect.ts'
import { start } from '../../fixtures/command-line.ts'
import { openFigures } from '../../fixtures/figures.ts'
import { generator } from '../../fixtures/generator.ts'
import { makeTables } from '../../fixtures/make-tables.ts'
import { ownPostgres } from '../../fixtures/postgres.ts'
import { readDrillOptions } from '../drill-options.ts'
import { fillSite } from './fill-site.ts'

const given = readDrillOptions({ kills: { whole: 50, quick: 8 }, runs: { whole: 4_000, quick: 400 }, seed: { whole: 1, quick: 1 } })
/** What migrations fill. */
const tablesOfMigrations: readonly string[] = ['maintenance', 'schema_floor', 'order_transition', 'secret_check']
const secretKey = 'a site keeps its key when it moves'

const postgres = await ownPostgres('move')
const figures = openFigures()
const random = generator(given.seed)
try {
  const admin = connect(postgres.url())
  for (const name of ['site', 'target']) await admin.pool.query(`create database ${name}`)
  const site = connect(postgres.url('site'), { statementTimeoutMs: 600_000 })
  await makeTables(site.db, secretKey)
  await fillSite(site.db, given.runs)
  const target = connect(postgres.url('target'), { statementTimeoutMs: 600_000 })
  const env = { DATABASE_URL: postgres.url('site'), DATA_DIR: postgres.dataDir, SECRET_KEY: secretKey }
  const copy = () => start(env, 'database', 'copy', '--to', postgres.url('target'))

  // How long one takes: it is killed at any time within.
  await makeTables(target.db)
  const keys = await foreignKeys(target)
  const began = performance.now()
  const whole = await copy().ended
  const took = performance.now() - began
  if (whole.exit !== 0) throw new Error(`the copy did not work: ${whole.err}`)
  const expected = await contents(site)
  figures.none('tables that differ after an undisturbed copy', differing(expected, await contents(target)))
  const { rows: sizes } = await admin.pool.query<{ mb: number }>(`select pg_database_size('site') / 1e6 as mb`)
  const mb = Number(sizes[0]?.mb)
  figures.fact('copied', `${mb.toFixed(0)} MB in ${(took / 1000).toFixed(1)} s, the start of the command included`)

  let [kills, left, taken] = [0, 0, 0]
  for (let round = 0; round < given.kills; round++) {
    await emptied(admin, target)
    const { child, ended } = copy()
    await Promise.race([sleep(random() * took), ended])
    if (round % 2 === 0) child.kill('SIGKILL')
    else
      await admin.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'convexa-copy' and datname = 'target'`,
      )
    const { exit } = await ended
    if (exit === 0) continue
    kills++
    // The server ends a transaction when it sees that its client is gone.
    await until(async () => (await sessions(admin)) === 0)
    const now = await contents(target)
    if (now.some(({ table, rows }) => !tablesOfMigrations.includes(table) && rows !== '0')) left++
    if ((await foreignKeys(target)) !== keys) taken++
  }
  await emptied(admin, target)
  const last = await copy().ended
  figures.goal('copies killed before their end', String(kills), `≥ ${Math.ceil(given.kills / 2)}`, kills >= given.kills / 2)
  figures.none('killed copies that left rows', left)
  figures.none('killed copies after which a foreign key was missing', taken)
  figures.goal('exit of the copy begun again', String(last.exit), '0', last.exit === 0)
  figures.none('tables that differ after it', differing(expected, await contents(target)))
  await Promise.all([site.close(), target.close()])
  await admin.close()
} finally {
  await postgres.stop()
}
process.exit(figures.end())

interface Content {
  readonly table: string
  readonly rows: string
  readonly hash: string
}

/** Of every table the rows and a digest over them in the order of their texts; a running site's own tables aside. */
async function contents({ pool }: Store): Promise<readonly Content[]> {
  const { rows: tables } = await pool.query<{ name: string }>(`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('process', 'process_snapshot', 'run_event', 'kysely_migration') order by relname`)
  const all: Content[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query<Content>(`
      select '${name}' as "table", count(*)::text as rows, coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash from ${name} t`)
    all.push(rows[0]!)
  }
  return all
}

function differing(before: readonly Content[], after: readonly Content[]): string[] {
  return before.filter(({ hash }, at) => after[at]?.hash !== hash).map(({ table }) => table)
}

async function foreignKeys({ pool }: Store): Promise<string> {
  const { rows } = await pool.query(
    `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  return JSON.stringify(rows)
}

/** The target as it was before a copy. */
async function emptied(admin: Store, target: Store): Promise<void> {
  await until(async () => (await sessions(admin)) === 0)
  const { rows } = await target.pool.query<{ names: string }>(
    `
    select string_agg(quote_ident(relname), ', ') as names from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'kysely_migration' and relname <> all($1)`,
    [tablesOfMigrations],
  )
  // Some tables are append-only.
  await target.pool.query(
    `set session_replication_role = replica; truncate ${rows[0]?.names} cascade; set session_replication_role = origin`,
  )
}

async function sessions({ pool }: Store): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `select count(*)::int as open from pg_stat_activity where application_name = 'convexa-copy' and datname = 'target'`,
  )
  return rows[0]!.open
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const last = performance.now() + 60_000; !(await isTrue()); ) {
    if (performance.now() > last) throw new Error('a session of a killed copy does not end')
    await sleep(50)
  }
}
