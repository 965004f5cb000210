import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { sqlStates } from '../base/sql-states.ts'
import { StartError } from '../base/start-error.ts'
import { connectTimeoutMs, withSession } from './session.ts'

/** Rows of processes that run now, the state of backups that do not move along, events of streams that are open now, and what the tables themselves say of their own making. */
const notCopied: readonly string[] = [
  'process',
  'process_snapshot',
  'backup_state',
  'run_event',
  'kysely_migration',
  'kysely_migration_lock',
]

/** Rows that migrations make: the target has them, and the source's take their place. */
const madeByMigrations: readonly string[] = ['maintenance', 'order_transition', 'schema_floor', 'secret_check']

export interface CopiedTable {
  readonly table: string
  readonly rows: number
}

/**
 * Copies all rows of a site's tables into another database that has the same migrations and no rows: one snapshot of the source, one
 * transaction at the target, so that a copy that does not end leaves nothing. Sequences go on where the source's stand. Rows are counted and
 * their contents compared before the target is committed.
 * @param from connection string of the source, past a pooler
 * @param to connection string of the target, past a pooler
 * @param onTable called after each table
 * @throws StartError with a sentence for the operator: other migrations, rows at the target, a target in use, rows that differ
 */
export async function copyTables(from: string, to: string, onTable: (copied: CopiedTable) => void): Promise<readonly CopiedTable[]> {
  const source = clientOf(from)
  const target = clientOf(to)
  try {
    await Promise.all([source.connect(), target.connect()])
    await source.query('begin transaction isolation level repeatable read read only')
    await target.query('begin')
    await requireSameMigrations(source, target)
    const tables = await tablesInOrder(source)
    await requireEmpty(target, tables)
    // Users and their files refer to one another: no order of tables would do.
    const references = await referencesOf(target)
    for (const { table, name } of references) await target.query(`alter table ${table} drop constraint ${name}`)
    const copied: CopiedTable[] = []
    for (const table of tables) {
      const { columns } = table
      const list = columns.map(pg.escapeIdentifier).join(', ')
      const name = pg.escapeIdentifier(table.name)
      if (madeByMigrations.includes(table.name)) await target.query(`delete from ${name}`)
      await pipeline(
        source.query(copyTo(`copy (select ${list} from ${name}) to stdout`)),
        target.query(copyFrom(`copy ${name} (${list}) from stdin`)),
      )
      const [before, after] = [await contentOf(source, name, list), await contentOf(target, name, list)]
      if (before.rows !== after.rows || before.hash !== after.hash)
        throw new StartError(`表 ${table.name} 复制后与源数据库不同（源 ${before.rows} 行，目标 ${after.rows} 行），目标数据库没有改动`)
      const one = { table: table.name, rows: Number(after.rows) }
      copied.push(one)
      onTable(one)
    }
    for (const { table, name, definition } of references) await target.query(`alter table ${table} add constraint ${name} ${definition}`)
    await copySequences(source, target)
    await target.query('commit')
    return copied
  } finally {
    // A transaction that is still open ends with its connection.
    await Promise.allSettled([source.end(), target.end()])
  }
}

/** Copies may take as long as they need, and a broken connection fails the statement that runs on it. */
function clientOf(connectionString: string): pg.Client {
  const client = new pg.Client({
    connectionString: withSession(connectionString),
    application_name: 'convexa-copy',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  client.on('error', () => {})
  return client
}

async function requireSameMigrations(source: pg.Client, target: pg.Client): Promise<void> {
  const namesOf = async (client: pg.Client, which: string): Promise<readonly string[]> => {
    const { rows: known } = await client.query<{ found: string | null }>(`select to_regclass('kysely_migration')::text as found`)
    if (!known[0]?.found) throw new StartError(`${which}还没有表：请先对它运行 ./convexa migrate`)
    const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
    return rows.map(({ name }) => name)
  }
  const [ours, theirs] = [await namesOf(source, '源数据库'), await namesOf(target, '目标数据库')]
  const missing = ours.find((name) => !theirs.includes(name))
  if (missing !== undefined) throw new StartError(`目标数据库缺少 ${missing}：请先对它运行 ./convexa migrate`)
  const newer = theirs.find((name) => !ours.includes(name))
  if (newer !== undefined) throw new StartError(`目标数据库的表比源数据库新（有 ${newer}）：请先升级源数据库`)
}

interface Table {
  readonly name: string
  /** Without those that are computed from others. */
  readonly columns: readonly string[]
}

/** The tables to copy, each after those that it refers to as far as there is such an order: triggers look at what rows refer to. */
async function tablesInOrder(client: pg.Client): Promise<readonly Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname order by c.relname`)
  const references = await referencesOf(client)
  const wanted = new Map(tables.filter(({ name }) => !notCopied.includes(name)).map((table) => [table.name, table]))
  const begun = new Set<Table>()
  const ordered: Table[] = []
  const add = (table: Table) => {
    if (begun.has(table)) return
    begun.add(table)
    for (const { table: name, to } of references) {
      const other = name === table.name ? wanted.get(to) : undefined
      if (other) add(other)
    }
    ordered.push(table)
  }
  for (const table of wanted.values()) add(table)
  return ordered
}

interface Reference {
  readonly table: string
  readonly to: string
  readonly name: string
  readonly definition: string
}

/** Foreign keys; names as SQL writes them. */
async function referencesOf(client: pg.Client): Promise<readonly Reference[]> {
  const { rows } = await client.query<Reference>(`
    select conrelid::regclass::text as "table", confrelid::regclass::text as "to", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`)
  return rows
}

/** Locks the tables of the target for as long as the copy lasts, and looks whether there is nothing in them. */
async function requireEmpty(target: pg.Client, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => pg.escapeIdentifier(name))
  await target.query(`set local lock_timeout = '3s'`)
  await target.query(`lock table ${names.join(', ')} in access exclusive mode`).catch((error: unknown) => {
    const { code } = error as { code?: string }
    throw code === sqlStates.lockNotAvailable ? new StartError('目标数据库正被使用：请先停止连接它的程序', { cause: error }) : error
  })
  for (const { name } of tables) {
    if (madeByMigrations.includes(name)) continue
    const { rows } = await target.query<{ any: boolean }>(`select exists (select from ${pg.escapeIdentifier(name)}) as any`)
    if (rows[0]?.any) throw new StartError(`目标数据库不是空的：表 ${name} 里已有内容。请换一个空的数据库`)
  }
}

/** Number of rows and a sum over the digests of all rows as texts, which no order changes. */
async function contentOf(client: pg.Client, name: string, list: string): Promise<{ readonly rows: string; readonly hash: string }> {
  const { rows } = await client.query<{ rows: string; hash: string }>(`
    select count(*)::text as rows, coalesce(sum(('x' || left(md5(r::text), 15))::bit(60)::bigint::numeric), 0)::text as hash
    from (select ${list} from ${name}) r`)
  return rows[0]!
}

/** Those of identity columns among them. */
async function copySequences(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows } = await source.query<{ name: string }>(`select sequencename as name from pg_sequences where schemaname = 'public'`)
  for (const { name } of rows) {
    const sequence = pg.escapeIdentifier(name)
    const { rows: states } = await source.query<{ last_value: string; is_called: boolean }>(`select last_value, is_called from ${sequence}`)
    const state = states[0]!
    await target.query('select setval($1::text::regclass, $2, $3)', [sequence, state.last_value, state.is_called])
  }
}
