/**
 * A market's columns as a folder of files:
 *
 *   manifest.json            what is there, with length and crc32 of every file
 *   dates.json               trading days, ascending
 *   securities.json          ascending by code; a security's place here is its place in every row
 *   close.2022.f64 …         one field and year: row = day, `stride` cells a row, NaN = absent
 *   listed.2022.u8, traded.2022.u8
 *   benchmark.cb_ew.f64      one value a day
 *   reports.starts.i32 …     published statements, version by version; reports.revenue.f64 one number of each
 *
 * What a manifest tells is written once and never changed. A day that is appended (`append-day.ts`) makes another folder, whose files
 * are those of the one before under a second name; the rows behind its manifest do not exist for that one.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataMode, Kind } from '@convexa/contract'
import { datedKeys, factsOf, markets, type ReportBook, type Security, toldBy } from '@convexa/engine'
import {
  appendShared,
  BrokenSnapshot,
  type FileEntry,
  flushFolder,
  readChecked,
  readWidened,
  type Store,
  shareFile,
  writeFlushed,
} from './column-file.ts'

/** A market, or the set of index series that serve as benchmarks. */
export type SnapshotKind = Kind | 'index'
/** How prices are stated: as traded, or forward or backward adjusted for dividends and splits. */
export type Adjust = 'raw' | 'qfq' | 'hfq'

/** A market's data in memory, before it is written. Columns hold every cell that the source has, also outside listing windows. */
export interface MarketTable {
  readonly kind: SnapshotKind
  readonly dates: readonly string[]
  readonly securities: readonly Security[]
  /** Cells of a row, more than securities so that new listings fit without moving the old ones. */
  readonly stride: number
  readonly columns: ReadonlyMap<string, StoredColumn>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
  /** Market series by code, one value a day. */
  readonly benchmarks: ReadonlyMap<string, Float64Array>
  /** Published statements of the securities, where there are any. */
  readonly reports?: ReportBook
}

export interface StoredColumn {
  readonly store: 'f64' | 'f32'
  readonly cells: Float64Array | Float32Array
  /** Where the values come from: read as they are, worked out at import, estimated with the stated rule. */
  readonly origin: Origin
  readonly note?: string
}
export type Origin = 'file' | 'reference' | 'derived' | 'estimated' | 'model'

export interface ManifestField {
  readonly key: string
  readonly store: 'f64' | 'f32'
  readonly origin: Origin
  readonly note?: string
  /** First and last day with a value inside a listing window, and the share of the listed cells that have one. */
  readonly first: string
  readonly last: string
  readonly coverage: number
  /** How many of the listed cells have a value; not in older snapshots. */
  readonly values?: number
}

export interface ManifestYear {
  readonly year: string
  readonly row: number
  readonly rows: number
}

export interface Manifest {
  readonly format: 1
  readonly kind: SnapshotKind
  readonly data_mode: DataMode
  readonly data_version: string
  readonly adjust: Adjust
  readonly first_date: string
  readonly last_date: string
  readonly rows: number
  readonly securities: number
  readonly stride: number
  readonly years: readonly ManifestYear[]
  /** Cells inside listing windows; not in older snapshots. */
  readonly listed_cells?: number
  /** Who is there on the last day; not in older snapshots (`membersOf`). */
  readonly members?: Members
  readonly fields: readonly ManifestField[]
  /** Fields that the securities themselves say (terms, announcements); none in older snapshots. */
  readonly facts?: readonly string[]
  /** Texts and dates that the securities have (`toldBy`); older snapshots do not say. */
  readonly told?: readonly string[]
  readonly benchmarks: readonly string[]
  /** How many versions of statements there are, and the items that they state; nothing where there are none. */
  readonly reports?: { readonly versions: number; readonly items: readonly string[] }
  readonly source: Source
  readonly files: Readonly<Record<string, FileEntry>>
}

/** Securities inside their listing windows on a day, and those that are in the data though they have left the market. */
export interface Members {
  readonly listed: number
  readonly delisted: number
}

/** Where a snapshot's data come from, for `market` and for the page. */
export interface Source {
  /** `demo`, a preset's name or `mapping`. */
  readonly preset: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
}

/** Room for 10 % more listings, in whole groups of 8 cells. */
export const strideFor = (securities: number): number => Math.ceil((securities * 1.1) / 8) * 8

/** Writes all files of a table into an empty folder, the manifest last, everything flushed. Returns the manifest and its SHA-256. */
export async function writeStore(
  folder: string,
  table: MarketTable,
  about: { mode: DataMode; adjust: Adjust; source: Source },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<{ manifest: Manifest; sha256: string }> {
  const years = yearsOf(table.dates)
  const fields = [...table.columns].flatMap(([key, column]) => describe(key, column, table) ?? [])
  const files: Record<string, FileEntry> = {}
  const total = (fields.length + 2) * years.length
  let done = 0
  const write = async (name: string, bytes: Uint8Array) => {
    files[name] = await writeFlushed(join(folder, name), bytes)
  }
  for (const { key, store } of fields) {
    const { cells } = table.columns.get(key)!
    for (const year of years) {
      const slice = cells.subarray(year.row * table.stride, (year.row + year.rows) * table.stride)
      const typed = store === 'f64' || slice instanceof Float32Array ? slice : Float32Array.from(slice)
      await write(columnFile(key, year, store), new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength))
      onProgress(++done, total)
    }
  }
  for (const mask of ['listed', 'traded'] as const) {
    for (const year of years) {
      await write(columnFile(mask, year, 'u8'), table[mask].subarray(year.row * table.stride, (year.row + year.rows) * table.stride))
      onProgress(++done, total)
    }
  }
  for (const [code, series] of table.benchmarks)
    await write(`benchmark.${code}.f64`, new Uint8Array(series.buffer, series.byteOffset, series.byteLength))
  if (table.reports) for (const [name, bytes] of reportFiles(table.reports)) await write(name, bytes)
  await write('dates.json', Buffer.from(JSON.stringify(table.dates)))
  await write('securities.json', Buffer.from(JSON.stringify(table.securities)))

  const manifest: Manifest = {
    format: 1,
    kind: table.kind,
    data_mode: about.mode,
    data_version: versionOf(table.kind, table.dates.at(-1)!, about, files),
    adjust: about.adjust,
    first_date: table.dates[0]!,
    last_date: table.dates.at(-1)!,
    rows: table.dates.length,
    securities: table.securities.length,
    stride: table.stride,
    years,
    listed_cells: listedCells(table.listed),
    members: membersOn(table.dates.at(-1)!, table.securities, table.listed.subarray((table.dates.length - 1) * table.stride)),
    fields,
    facts: factsIn(table.kind, table.securities),
    told: toldBy(table.securities),
    benchmarks: [...table.benchmarks.keys()],
    ...(table.reports && { reports: { versions: table.reports.quarters.length, items: [...table.reports.items.keys()] } }),
    source: about.source,
    files,
  }
  return { manifest, sha256: await writeManifest(folder, manifest) }
}

/** The last file of a folder: then it is whole. Returns its SHA-256. */
async function writeManifest(folder: string, manifest: Manifest): Promise<string> {
  const text = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  await writeFlushed(join(folder, 'manifest.json'), text)
  await flushFolder(folder)
  return sha256Of(text)
}

/** What becomes of a file in the folder that follows: bytes behind its own, or others in its place. Not named: it stays. */
export type FileChange = { readonly append: Uint8Array } | { readonly write: () => Promise<Uint8Array> | Uint8Array }

/** Makes an empty folder the one that follows another, sharing what stays. Returns the manifest and its SHA-256. */
export async function followStore(
  folder: string,
  base: { readonly folder: string; readonly manifest: Manifest },
  changes: ReadonlyMap<string, FileChange>,
  next: Omit<Manifest, 'data_version' | 'files'>,
): Promise<{ manifest: Manifest; sha256: string }> {
  const files: Record<string, FileEntry> = { ...base.manifest.files }
  const follow = async (name: string) => {
    const [from, to] = [join(base.folder, name), join(folder, name)]
    const change = changes.get(name)
    if (change === undefined) await shareFile(from, to)
    else if ('append' in change) files[name] = await appendShared(from, to, entryOf(base.manifest, name), change.append)
    else files[name] = await writeFlushed(to, await change.write())
  }
  const names = new Set([...Object.keys(files), ...changes.keys()])
  // Some at once: most of the time goes to waiting for the disk, and a few large ones fit into memory. What changes is first (the last is
  // taken first): its flushes are waited for while the rest is shared.
  const waiting = [...names].sort((a, b) => Number(changes.has(a)) - Number(changes.has(b)))
  const worker = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await follow(name)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const about = { mode: next.data_mode, adjust: next.adjust }
  const manifest = { ...next, data_version: versionOf(next.kind, next.last_date, about, files), files }
  return { manifest, sha256: await writeManifest(folder, manifest) }
}
const atOnce = 8

/** Fields that the securities of a market say themselves. */
export const factsIn = (kind: SnapshotKind, securities: readonly Security[]): string[] =>
  kind === 'index' ? [] : [...factsOf(markets[kind].fields, securities), ...datedKeys(securities)]

export const listedCells = (listed: Uint8Array): number => {
  let count = 0
  for (let at = 0; at < listed.length; at++) count += listed[at]!
  return count
}

/** `listed`: the mask's row of the day. */
export const membersOn = (date: string, securities: readonly Security[], listed: Uint8Array): Members => ({
  listed: listedCells(listed),
  delisted: securities.filter(({ delisted }) => delisted !== null && delisted <= date).length,
})

/** Who is there on a snapshot's last day: told by its manifest, of an older one counted in the files of its last year. */
export async function membersOf(folder: string, manifest: Manifest): Promise<Members> {
  if (manifest.members) return manifest.members
  const { years, stride, last_date: date } = manifest
  const last = years.at(-1)!
  const [securities, mask] = await Promise.all([
    readSecurities(folder, manifest),
    readBytes(folder, manifest, columnFile('listed', last, 'u8')),
  ])
  return membersOn(date, securities, mask.subarray((last.rows - 1) * stride, last.rows * stride))
}

/** A file's bytes in shared memory, checked. */
export async function readBytes(folder: string, manifest: Manifest, name: string): Promise<Uint8Array<SharedArrayBuffer>> {
  const entry = entryOf(manifest, name)
  const bytes = new Uint8Array(allocate(entry.bytes))
  await readChecked(join(folder, name), bytes, entry)
  return bytes
}

/** Reads a snapshot's manifest; with `sha256`, refuses one that is not the published one. */
export async function readManifest(folder: string, sha256?: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json')).catch(() => null)
  if (text === null) throw new BrokenSnapshot(`missing manifest: ${folder}`)
  if (sha256 !== undefined && sha256Of(text) !== sha256) throw new BrokenSnapshot(`manifest is not the published one: ${folder}`)
  const manifest = JSON.parse(text.toString()) as Manifest
  if (manifest.format !== 1) throw new BrokenSnapshot(`unknown format ${manifest.format}: ${folder}`)
  return manifest
}

/** Room for a column that threads share. */
export const allocate = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

/** Room for a field's column in shared memory, and for `spare` days behind it. Pages that nobody writes to take none. */
export const roomFor = ({ rows, stride }: Manifest, spare = 0): Float64Array<SharedArrayBuffer> =>
  new Float64Array(allocate((rows + spare) * stride * 8))

/** A field's column in shared memory, checked, as doubles. */
export async function readColumn(folder: string, manifest: Manifest, field: ManifestField): Promise<Float64Array<SharedArrayBuffer>> {
  const column = roomFor(manifest)
  await readDays(folder, manifest, field, column, { from: 0, to: manifest.rows })
  return column
}

/** Days of a column: the first, and the one behind the last. */
export interface Days {
  readonly from: number
  readonly to: number
}

/** Reads some days of a field into its column, checked, as doubles; `finish` is told of each part that is there. */
export async function readDays(
  folder: string,
  manifest: Manifest,
  field: ManifestField,
  column: Float64Array,
  { from, to }: Days,
  finish: (part: Days) => void = () => {},
): Promise<void> {
  const { stride } = manifest
  for (const year of manifest.years) {
    const part = { from: Math.max(from, year.row), to: Math.min(to, year.row + year.rows) }
    if (part.from >= part.to) continue
    const cells = column.subarray(part.from * stride, part.to * stride)
    const name = columnFile(field.key, year, field.store)
    if (part.to - part.from < year.rows) {
      const whole = await readYear(folder, manifest, field, year)
      cells.set(whole.subarray((part.from - year.row) * stride, (part.to - year.row) * stride))
    } else if (field.store === 'f64') {
      await readChecked(join(folder, name), new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength), entryOf(manifest, name))
    } else await readWidened(join(folder, name), cells, entryOf(manifest, name))
    finish(part)
  }
}

/** A year of a field as it is stored, checked: a checksum is of whole files. */
export async function readYear(
  folder: string,
  manifest: Manifest,
  field: ManifestField,
  year: ManifestYear,
): Promise<Float64Array | Float32Array> {
  const name = columnFile(field.key, year, field.store)
  const count = year.rows * manifest.stride
  const cells = field.store === 'f64' ? new Float64Array(count) : new Float32Array(count)
  await readChecked(join(folder, name), bytesOf(cells), entryOf(manifest, name))
  return cells
}

/** The `listed` or `traded` mask in shared memory, checked. */
export async function readMask(
  folder: string,
  manifest: Manifest,
  mask: 'listed' | 'traded',
  spare = 0,
): Promise<Uint8Array<SharedArrayBuffer>> {
  const cells = new Uint8Array(allocate((manifest.rows + spare) * manifest.stride))
  for (const year of manifest.years) {
    const name = columnFile(mask, year, 'u8')
    await readChecked(
      join(folder, name),
      cells.subarray(year.row * manifest.stride, (year.row + year.rows) * manifest.stride),
      entryOf(manifest, name),
    )
  }
  return cells
}

/** A market series of the snapshot itself. */
export async function readBenchmark(folder: string, manifest: Manifest, code: string, spare = 0): Promise<Float64Array<SharedArrayBuffer>> {
  const series = new Float64Array(new SharedArrayBuffer((manifest.rows + spare) * 8)).fill(Number.NaN)
  const name = `benchmark.${code}.f64`
  await readChecked(join(folder, name), new Uint8Array(series.buffer, 0, manifest.rows * 8), entryOf(manifest, name))
  return series
}

/** The published statements with the items asked for; null where the snapshot has none of them. */
export async function readReports(folder: string, manifest: Manifest, wanted: (item: string) => boolean): Promise<ReportBook | null> {
  const { reports, securities } = manifest
  const keys = reports?.items.filter(wanted) ?? []
  if (!reports || keys.length === 0) return null
  const axis = async (name: (typeof reportAxes)[number], length: number) => {
    const cells = new Int32Array(new SharedArrayBuffer(length * 4))
    await readChecked(join(folder, `reports.${name}.i32`), new Uint8Array(cells.buffer), entryOf(manifest, `reports.${name}.i32`))
    return cells
  }
  const items = new Map<string, Float64Array>()
  for (const key of keys) {
    const numbers = new Float64Array(new SharedArrayBuffer(reports.versions * 8))
    await readChecked(join(folder, reportFile(key)), new Uint8Array(numbers.buffer), entryOf(manifest, reportFile(key)))
    items.set(key, numbers)
  }
  const [starts, quarters, published] = [
    await axis('starts', securities + 1),
    await axis('quarters', reports.versions),
    await axis('published', reports.versions),
  ]
  return { starts, quarters, published, items }
}

export const readDates = (folder: string, manifest: Manifest): Promise<string[]> => readJson(folder, manifest, 'dates.json')
export const readSecurities = (folder: string, manifest: Manifest): Promise<Security[]> => readJson(folder, manifest, 'securities.json')

/** The same as they are stored: a market's texts are megabytes, which whoever reads them parses. */
export const readSecuritiesText = (folder: string, manifest: Manifest): Promise<Uint8Array> =>
  readBytes(folder, manifest, 'securities.json')
export const parseSecurities = (text: Uint8Array): Security[] => parseJson(text)

async function readJson<T>(folder: string, manifest: Manifest, name: string): Promise<T> {
  return parseJson(await readBytes(folder, manifest, name))
}

const parseJson = <T>({ buffer, byteOffset, byteLength }: Uint8Array): T =>
  JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as T

function entryOf(manifest: Manifest, name: string): FileEntry {
  const entry = manifest.files[name]
  if (entry === undefined) throw new BrokenSnapshot(`not in the manifest: ${name}`)
  return entry
}

export const columnFile = (key: string, year: Pick<ManifestYear, 'year'>, store: Store): string => `${key}.${year.year}.${store}`
const reportAxes = ['starts', 'quarters', 'published'] as const
const reportFile = (item: string): string => `reports.${item}.f64`
export const reportFiles = (book: ReportBook): [name: string, bytes: Uint8Array][] => [
  ...reportAxes.map((axis): [string, Uint8Array] => [`reports.${axis}.i32`, bytesOf(book[axis])]),
  ...[...book.items].map(([key, numbers]): [string, Uint8Array] => [reportFile(key), bytesOf(numbers)]),
]
export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Int32Array | Float32Array | Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function yearsOf(dates: readonly string[]): ManifestYear[] {
  const years: { year: string; row: number; rows: number }[] = []
  dates.forEach((date, row) => {
    const year = date.slice(0, 4)
    const last = years.at(-1)
    if (last?.year === year) last.rows++
    else years.push({ year, row, rows: 1 })
  })
  return years
}

/** A field with no value inside any listing window is not stored: nobody shall think that it is there. */
function describe(key: string, column: StoredColumn, table: MarketTable): ManifestField | null {
  const { cells } = column
  let count = 0
  let listed = 0
  let first = -1
  let last = -1
  for (let t = 0; t < table.dates.length; t++) {
    const before = count
    for (let at = t * table.stride, end = at + table.securities.length; at < end; at++) {
      if (table.listed[at] === 0) continue
      listed++
      if (cells[at] === cells[at]) count++
    }
    if (count === before) continue
    if (first < 0) first = t
    last = t
  }
  if (first < 0) return null
  const { store, origin, note } = column
  const coverage = coverageOf(count, listed)
  const days = { first: table.dates[first]!, last: table.dates[last]! }
  return { key, store, origin, ...(note === undefined ? {} : { note }), ...days, coverage, values: count }
}

export const coverageOf = (values: number, listed: number): number => Math.round((values / listed) * 1e6) / 1e6

/** Says market, last day and content: the same data have the same version wherever and whenever they are imported. */
function versionOf(
  kind: SnapshotKind,
  lastDate: string,
  { mode, adjust }: { mode: DataMode; adjust: Adjust },
  files: Readonly<Record<string, FileEntry>>,
): string {
  const hash = createHash('sha256').update(`${adjust}\n`)
  for (const name of Object.keys(files).sort()) hash.update(`${name} ${files[name]!.bytes} ${files[name]!.crc32}\n`)
  const mark = mode === 'demo' ? 'demo-' : ''
  return `${mark}${kind}-${lastDate.replaceAll('-', '')}-${hash.digest('hex').slice(0, 8)}`
}
