/**
 * Publication: a folder is written aside, flushed and renamed; then one row in `market_snapshot` is inserted and notified.
 * That row is the publication. A kill at any point before it leaves the old snapshot, and what lies about is swept later.
 */

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { DataMode } from '@convexa/contract'
import { benchmarkLabel } from '@convexa/contract/enums/benchmark'
import { isSynthetic, modesBeside } from '@convexa/contract/enums/data-mode'
import { markets } from '@convexa/engine'
import { type Expression, type Kysely, sql, type Transaction } from 'kysely'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import { flushFolder } from '../base/flush-folder.ts'
import { isAlive } from '../base/is-alive.ts'
import { sqlStates } from '../base/sql-states.ts'
import { locks } from '../db/locks.ts'
import type { Quality } from '../db/tables/quality.ts'
import type { Database } from '../db/tables.ts'
import { asideName, bindObjects, snapshotStoreOf } from '../store/snapshot-store.ts'
import { type Adjust, type Manifest, olderImporterNote, readManifest, type SnapshotKind, type Source } from './manifest.ts'
import { type Named, nameAndUpload } from './name-snapshot.ts'
import { readSecurities } from './read-store.ts'
import { type MarketTable, type Reading, writeStore } from './store.ts'

export { BrokenSnapshot } from '../base/broken-snapshot.ts'
export { type Manifest, readManifest, type SnapshotKind } from './manifest.ts'

/** A row of `market_snapshot`: one published, immutable version of a market's data. */
export interface Snapshot {
  readonly id: string
  readonly kind: SnapshotKind
  readonly dataMode: DataMode
  readonly dataVersion: string
  /** Below `DATA_DIR/market`; see `snapshotPath`. */
  readonly folder: string
  readonly manifestSha256: string
  readonly firstDate: string
  readonly lastDate: string
  readonly securities: number
  readonly quality: Quality
  readonly publishedAt: Date
}

/** NOTIFY: a snapshot was published. The payload is its id. */
export const snapshotChannel = 'market_snapshot'

/** Where folders of snapshots lie on this machine: in the data folder, or where there is an object store in the cache. */
export const marketFolder = (dataDir: string): string => snapshotStoreOf(dataDir)?.marketFolder ?? join(dataDir, 'market')
/**
 * Where a snapshot's files lie: what `loadPanel` and `readManifest` take. Where there is an object store, files that are not here
 * are read out of it one by one; work on many files begins with `localFolder`.
 */
export const snapshotPath = (dataDir: string, snapshot: Pick<Snapshot, 'folder'>): string => join(marketFolder(dataDir), snapshot.folder)

/** The same folder, with all its files on this machine. @throws StoreError */
export const localFolder = async (dataDir: string, snapshot: Pick<Snapshot, 'folder'>): Promise<string> =>
  (await snapshotStoreOf(dataDir)?.ensureLocal(snapshot.folder)) ?? snapshotPath(dataDir, snapshot)

/** The newest published snapshot of a kind that is not known to be damaged, or null. Of indices those of a demo market stand beside the real ones and never for them. */
export async function newestSnapshot(db: Kysely<Database>, kind: SnapshotKind): Promise<Snapshot | null> {
  const row = await rows(db)
    .where('kind', '=', kind)
    .where('damaged_at', 'is', null)
    .$if(kind === 'index', (all) => all.orderBy(sql`data_mode = 'demo'`))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** A snapshot by its id, or null. */
export async function snapshotById(db: Kysely<Database>, id: string): Promise<Snapshot | null> {
  const row = await rows(db).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** The newest snapshot of a data version, or null: it is kept no longer. */
export async function snapshotOfVersion(db: Kysely<Database>, kind: SnapshotKind, version: string): Promise<Snapshot | null> {
  const row = await rows(db)
    .where('kind', '=', kind)
    .where('data_version', '=', version)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/**
 * The index series that go with a market's snapshot. Demo and real numbers never mix:
 * a demo market has the demo indices, an imported one the imported indices or none.
 */
export async function indexSnapshotFor(db: Kysely<Database>, market: Pick<Snapshot, 'dataMode'>): Promise<Snapshot | null> {
  const row = await rows(db)
    .where('kind', '=', 'index')
    .where('data_mode', 'in', modesBeside(market.dataMode))
    .where('damaged_at', 'is', null)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : fromRow(row)
}

/** The shares' snapshot that a bond market reads the history of underlying shares from; demo and real numbers never mix. */
export async function stockSnapshotFor(
  { kind, dataMode }: Pick<Snapshot, 'kind' | 'dataMode'>,
  stocksInUse: () => Promise<Snapshot | null>,
): Promise<Snapshot | null> {
  if (kind === 'index' || !markets[kind].fields.some(({ ofStock }) => ofStock?.field !== undefined)) return null
  const stocks = await stocksInUse()
  return stocks !== null && isSynthetic(stocks.dataMode) === isSynthetic(dataMode) ? stocks : null
}

/** The newest `most` snapshots of a kind that are not known to be damaged, newest first, each with whether a condition on its row holds. */
export async function newestSnapshots(
  db: Kysely<Database>,
  { kind, dataMode }: Pick<Snapshot, 'kind' | 'dataMode'>,
  most: number,
  condition: Expression<boolean>,
): Promise<{ readonly snapshot: Snapshot; readonly holds: boolean }[]> {
  const found = await rows(db)
    .select(sql<boolean>`${condition}`.as('holds'))
    .where('kind', '=', kind)
    .where('damaged_at', 'is', null)
    .$if(kind === 'index', (all) => all.where('data_mode', 'in', modesBeside(dataMode)))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
  return found.map(({ holds, ...row }) => ({ snapshot: fromRow(row), holds }))
}

/** Keys of the fields that a snapshot has values of: columns, facts of its securities, items of their statements. */
export async function snapshotFields(folder: string): Promise<Set<string>> {
  const { fields, facts = [], reports } = await readManifest(folder)
  return new Set([...fields.map((field) => field.key), ...facts, ...(reports?.items ?? [])])
}

/** The same with what the securities say of themselves, as the engine asks for it: what may be named. */
export async function availableIn(folder: string): Promise<Set<string>> {
  const { told: statedKeys = [] } = await readManifest(folder)
  return new Set([...(await snapshotFields(folder)), ...statedKeys])
}

/** Benchmarks that a run on this market can ask for, with their names: its own series first, then the indices that overlap it. */
export async function snapshotBenchmarks(folder: string, indexFolder: string | null): Promise<{ code: string; name: string }[]> {
  const manifest = await readManifest(folder)
  const own = manifest.benchmarks.map((code) => ({ code, name: benchmarkLabel(code) ?? code }))
  if (indexFolder === null) return own
  const index = await readManifest(indexFolder)
  if (index.last_date < manifest.first_date || index.first_date > manifest.last_date) return own
  return [...own, ...(await readSecurities(indexFolder, index)).map(({ code, name }) => ({ code, name }))]
}

export interface Publication {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly table: MarketTable
  readonly mode: DataMode
  readonly adjust: Adjust
  readonly source: Source
  /** How it was read, for the files that come after. */
  readonly reading?: Reading
  readonly quality: Quality
  /** Id of the snapshot that the table was made out of: nothing newer may be covered by it. */
  readonly onto?: string
  readonly onProgress?: (done: number, total: number) => void
  /** Called in the transaction before the table gets its name and its row; if it throws, it gets neither. */
  readonly beforePublishing?: () => void
}

/** The snapshot that a table was made from is not the newest any more. */
export class StaleSnapshotError extends Error {}

/**
 * Publishes a table and returns its snapshot. Data that equal the newest snapshot are not published again.
 * NOTIFY channel `market_snapshot`, payload = the snapshot's id.
 * @throws Overtaken
 */
export async function publish(publication: Publication): Promise<{ snapshot: Snapshot; unchanged: boolean }> {
  const { db, dataDir, table, quality } = publication
  const market = marketFolder(dataDir)
  await mkdir(market, { recursive: true })
  await sweep(db, dataDir)

  const aside = await openAside(dataDir)
  try {
    const { manifest, sha256 } = await writeStore(aside, table, publication, publication.onProgress)
    const newest = await (table.kind === 'index' ? indexSnapshotFor(db, { dataMode: publication.mode }) : newestSnapshot(db, table.kind))
    if (newest?.dataVersion === manifest.data_version && (await isKnown(dataDir, newest, manifest))) {
      return { snapshot: newest, unchanged: true }
    }
    const named = await nameAndUpload(dataDir, aside, manifest, newest)
    const id = await publishing(db, async (transaction) => {
      const { onto } = publication
      if (onto !== undefined && (await newestSnapshot(transaction, table.kind))?.id !== onto) throw new StaleSnapshotError()
      publication.beforePublishing?.()
      return announce(transaction, dataDir, aside, named, { manifest, sha256 }, quality)
    })
    return { snapshot: (await snapshotById(db, id))!, unchanged: false }
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** An empty folder to write a snapshot in, to be announced or removed. */
export async function openAside(dataDir: string): Promise<string> {
  const aside = join(marketFolder(dataDir), asideName())
  await mkdir(aside, { recursive: true })
  return aside
}

/** Runs one publication at a time; the sweep waits too and never meets a folder on its way to its row. */
export function publishing<T>(db: Kysely<Database>, work: (transaction: Transaction<Database>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    // Files are written within: of a whole market, on a slow disk, that is longer than a transaction may say nothing.
    await sql`set local idle_in_transaction_session_timeout = '30min'`.execute(transaction)
    await sql`select pg_advisory_xact_lock(${locks.publish}, 0)`.execute(transaction)
    return work(transaction)
  })
}

/** Gives a folder that is whole its name and its row; returns the row's id. Inside `publishing`. */
export async function announce(
  transaction: Transaction<Database>,
  dataDir: string,
  aside: string,
  { id, folder, uploaded }: Named,
  { manifest, sha256 }: { manifest: Manifest; sha256: string },
  quality: Quality,
): Promise<string> {
  const market = marketFolder(dataDir)
  await rename(aside, join(market, folder))
  await flushFolder(market)
  await transaction
    .insertInto('market_snapshot')
    .values({
      id,
      kind: manifest.kind,
      data_mode: manifest.data_mode,
      data_version: manifest.data_version,
      folder,
      manifest_sha256: sha256,
      first_date: manifest.first_date,
      last_date: manifest.last_date,
      securities: manifest.securities,
      quality: JSON.stringify(quality),
    })
    .execute()
  if (uploaded) await bindObjects(transaction, id, uploaded)
  await sql`select pg_notify(${snapshotChannel}, ${id})`.execute(transaction)
  return id
}

/** Removes what dead imports left: folders aside whose process is gone, and folders that no row names. */
export async function sweep(db: Kysely<Database>, dataDir: string): Promise<string[]> {
  const market = marketFolder(dataDir)
  const names = await readdir(market).catch(() => [])
  return publishing(db, async (transaction) => {
    const published = new Set((await transaction.selectFrom('market_snapshot').select('folder').execute()).map((row) => row.folder))
    const swept: string[] = []
    for (const name of names) {
      const dead = name.startsWith('.aside-') ? await isAbandoned(market, name) : folderName.test(name) && !published.has(name)
      if (!dead) continue
      await rm(join(market, name), { recursive: true, force: true })
      swept.push(name)
    }
    return swept
  })
}

/** Of each kind; runs keep further ones. */
export const mostKept = 3

/**
 * Keeps of each kind the newest `keep` snapshots and those that a run refers to; removes the rows and folders of the others.
 * A run's snapshot is kept because a result must be repeatable.
 */
export async function retain(db: Kysely<Database>, dataDir: string, keep = mostKept): Promise<string[]> {
  const gone = await sql<{ folder: string }>`
    delete from market_snapshot where id in (
      select id from (
        select id, row_number() over (partition by kind, data_mode = 'demo' order by damaged_at is not null, published_at desc, id desc) as place from market_snapshot
      ) ranked
      where place > ${keep} and not exists (select 1 from backtest_run where ranked.id in (backtest_run.snapshot_id, backtest_run.index_snapshot_id, backtest_run.stock_snapshot_id))
    ) returning folder`
    .execute(db)
    .catch((error: { code?: string }) => {
      // A run that began this moment refers to one of them (23503): they are looked at again after the next import.
      if (error.code === sqlStates.foreignKeyViolation) return { rows: [] }
      throw error
    })
  for (const { folder } of gone.rows) await rm(join(marketFolder(dataDir), folder), { recursive: true, force: true })
  return gone.rows.map((row) => row.folder)
}

const folderName = /^(demo-)?(cb|stk|index)-\d{8}-[0-9a-f]{8}-[0-9a-f]{6}$/
const dayMs = 86_400_000

/** Whether a snapshot of the same data is whole, and of the same importer and reading. */
async function isKnown(dataDir: string, snapshot: Snapshot, now: Manifest): Promise<boolean> {
  const folder = snapshotPath(dataDir, snapshot)
  try {
    // Whether its objects are whole is known when they are read; what is here is a copy.
    const manifest = await (snapshotStoreOf(dataDir) ? readManifest : readComplete)(folder, snapshot.manifestSha256)
    const readingOf = ({ importer, mapping, unused, aside, factors, call_lists }: Manifest) =>
      JSON.stringify({ importer, mapping, unused, aside, factors, call_lists })
    return readingOf(manifest) === readingOf(now)
  } catch (error) {
    if (error instanceof BrokenSnapshot) return false
    throw error
  }
}

/**
 * The manifest of a folder that has the published one and every file in its length. Bytes are compared when they are loaded.
 * @throws BrokenSnapshot
 */
export async function readComplete(folder: string, sha256: string): Promise<Manifest> {
  const manifest = await readManifest(folder, sha256)
  for (const [name, entry] of Object.entries(manifest.files)) {
    const path = join(folder, name)
    const bytes = await stat(path).then(
      ({ size }) => size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return -1
        throw error
      },
    )
    // A file may go on with days of a later snapshot.
    if (bytes < entry.bytes) throw new BrokenSnapshot(bytes < 0 ? 'missing file' : 'file cut short', path)
  }
  return manifest
}

/** A folder aside is abandoned when its process on this machine is gone, or after a day when it belongs to another machine. */
async function isAbandoned(market: string, name: string): Promise<boolean> {
  const [, host, pid] = /^\.aside-(.*)-(\d+)-[0-9a-f]{8}$/.exec(name) ?? []
  if (host === hostname() && pid !== undefined) return !isAlive(Number(pid))
  const found = await stat(join(market, name)).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > dayMs
}

const rows = (db: Kysely<Database>) =>
  db
    .selectFrom('market_snapshot')
    .select([
      'id',
      'kind',
      'data_mode',
      'data_version',
      'folder',
      'manifest_sha256',
      'securities',
      'quality',
      'published_at',
      sql<string>`to_char(first_date, 'YYYY-MM-DD')`.as('first_date'),
      sql<string>`to_char(last_date, 'YYYY-MM-DD')`.as('last_date'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>

const fromRow = (row: Row): Snapshot => ({
  id: row.id,
  kind: row.kind,
  dataMode: row.data_mode,
  dataVersion: row.data_version,
  folder: row.folder,
  manifestSha256: row.manifest_sha256,
  firstDate: row.first_date,
  lastDate: row.last_date,
  securities: row.securities,
  quality: row.quality,
  publishedAt: row.published_at,
})

/** The warning about a market of an older importer; null: there is none. The manifest says it; a manifest that cannot be read is reported as damaged elsewhere. */
export const olderOf = (dataDir: string, snapshot: Snapshot): Promise<string | null> =>
  readManifest(snapshotPath(dataDir, snapshot)).then(olderImporterNote, () => null)
