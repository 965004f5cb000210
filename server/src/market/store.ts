/**
 * A market's columns as a folder of files:
 *
 *   manifest.json            what is there, with length and crc32 of every file
 *   dates.json               trading days, ascending
 *   securities.json          ascending by code; a security's place here is its place in every row
 *   close.2022.f64 …         one field and year: row = day, `stride` cells a row, NaN = absent
 *   listed.2022.u8, traded.2022.u8
 *   benchmark.cb_ew.f64      one value a day
 *   missing-bars.json        by day, codes of listed securities whose bar has not come (缺行情); only where there are some
 *   reports.starts.i32 …     published statements, version by version; reports.revenue.f64 one number of each
 *
 * Files that a manifest names are never changed. Appending a day (`append-day.ts`) makes another folder whose files are hard links to those
 * of the folder before; rows after a manifest's last row do not exist for that manifest.
 */
import { join } from 'node:path'
import type { DataMode } from '@convexa/contract'
import { datedKeys, factsOf, markets, type Security, type StatementHistory, statedKeys } from '@convexa/engine'
import { isPositive, saysNothing } from './cell-filling.ts'
import { appendShared, type FileEntry, shareFile, writeFlushed } from './column-file.ts'
import type { FilledCells } from './hold.ts'
import {
  type Adjust,
  columnFile,
  entryOf,
  importer,
  type Manifest,
  type ManifestField,
  type ManifestYear,
  type Members,
  type Origin,
  reportAxes,
  reportFile,
  type SnapshotKind,
  type Source,
  versionOf,
  writeManifest,
} from './manifest.ts'

/** A market's data in memory, before it is written. */
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
  readonly reports?: StatementHistory
  /** By day, listed securities of which neither a bar nor a suspension has come. */
  readonly missingDays?: MissingDays
  /** Shares without a row on so many trading days at the end have left (imports). */
  readonly endsAfter?: number
}

export interface StoredColumn {
  readonly store: 'f64' | 'f32'
  readonly cells: Float64Array | Float32Array
  readonly origin: Origin
  readonly note?: string
  /** Of a column that is given on days of change only: for how long a cell counts, the given cells alone, and what was filled from them. */
  readonly givenOnChange?: FilledCells & { readonly holds: number; readonly given: Float64Array | Float32Array }
}
/** Room for 10 % more listings, in whole groups of 8 cells. */
export const strideFor = (securities: number): number => Math.ceil((securities * 1.1) / 8) * 8

/** Writes all files of a table into an empty folder, the manifest last, everything flushed. Returns the manifest and its SHA-256. */
export async function writeStore(
  folder: string,
  table: MarketTable,
  about: { mode: DataMode; adjust: Adjust; source: Source; reading?: Reading },
  onProgress: (done: number, total: number) => void = () => {},
): Promise<{ manifest: Manifest; sha256: string }> {
  const years = yearsOf(table.dates)
  const inside = listedCells(table.listed)
  const described = [...table.columns].flatMap(([key, column]) => describe(key, column, table, inside) ?? [])
  const fields = described.map(({ field }) => field)
  const isListedOnly = described.every(({ field, hasUnlisted }) => isOfStock(table.kind, field.key) || !hasUnlisted)
  const files: Record<string, FileEntry> = {}
  const total = (fields.length + 2) * years.length
  let done = 0
  const write = async (name: string, bytes: Uint8Array) => {
    files[name] = await writeFlushed(join(folder, name), bytes)
  }
  for (const { key, store } of fields) {
    const column = table.columns.get(key)!
    const cells = column.givenOnChange?.given ?? column.cells
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
  if (table.missingDays && hasKeys(table.missingDays)) await write(missingFile, missingBytes(table.missingDays))
  await write('dates.json', Buffer.from(JSON.stringify(table.dates)))
  await write('securities.json', Buffer.from(JSON.stringify(table.securities)))

  const manifest: Manifest = {
    format: 1,
    kind: table.kind,
    data_mode: about.mode,
    data_version: versionOf(table.kind, table.dates.at(-1)!, { ...about, fields }, files),
    adjust: about.adjust,
    first_date: table.dates[0]!,
    last_date: table.dates.at(-1)!,
    rows: table.dates.length,
    securities: table.securities.length,
    stride: table.stride,
    years,
    ...(isListedOnly && { listed_only: true as const }),
    listed_cells: inside,
    members: membersOn(table.dates.at(-1)!, table.securities, table.listed.subarray((table.dates.length - 1) * table.stride)),
    fields,
    facts: factsIn(table.kind, table.securities),
    told: statedKeys(table.securities),
    benchmarks: [...table.benchmarks.keys()],
    ...(table.reports && { reports: { versions: table.reports.quarters.length, items: [...table.reports.items.keys()] } }),
    ...(table.endsAfter !== undefined && { ends_after: table.endsAfter }),
    source: about.source,
    ...readingOf(about.reading),
    files,
  }
  return { manifest, sha256: await writeManifest(folder, manifest) }
}

/** How a table was read, for the files that come after. `importer: null`: what an older importer decided stands. */
export interface Reading extends Pick<Manifest, 'mapping' | 'unused' | 'aside' | 'factors' | 'call_lists'> {
  readonly importer: number | null
}

function readingOf({ importer: by, mapping, unused, ...carried }: Reading = { importer }): Partial<Manifest> {
  return {
    ...(by !== null && { importer: by }),
    ...(mapping && { mapping }),
    ...(unused && unused.length > 0 && { unused }),
    ...carriedOf(carried),
  }
}

/** State at the last row, from which the next day continues. */
export type Carried = Pick<Reading, 'aside' | 'factors' | 'call_lists'>

export const carriedOf = ({ aside, factors, call_lists: lists }: Carried): Pick<Manifest, 'aside' | 'factors' | 'call_lists'> => ({
  ...(lists && lists.length > 0 && { call_lists: lists }),
  ...(aside && hasKeys(aside) && { aside: ascending(aside) }),
  ...(factors && hasKeys(factors) && { factors: ascending(factors) }),
})
const hasKeys = (all: object): boolean => Object.keys(all).length > 0
/** The same whatever the order in which the securities came. */
const ascending = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))

/** By day, ascending codes of the securities without a bar; no day without any. */
export type MissingDays = Readonly<Record<string, readonly string[]>>

export const missingFile = 'missing-bars.json'
export const missingBytes = (days: MissingDays): Uint8Array => Buffer.from(JSON.stringify(ascending(days)))

/** What becomes of a file in the folder that follows: bytes behind its own, others in its place, or it is left out. Not named: it stays. */
export type FileChange = { readonly append: Uint8Array } | { readonly write: () => Promise<Uint8Array> | Uint8Array } | 'left out'

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
    else if (change === 'left out') delete files[name]
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
  const about = { mode: next.data_mode, adjust: next.adjust, fields: next.fields }
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

export const reportFiles = (book: StatementHistory): [name: string, bytes: Uint8Array][] => [
  ...reportAxes.map((axis): [string, Uint8Array] => [`reports.${axis}.i32`, bytesOf(book[axis])]),
  ...[...book.items].map(([key, numbers]): [string, Uint8Array] => [reportFile(key), bytesOf(numbers)]),
]
export const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Int32Array | Float32Array | Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
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

/** A field without a value inside any listing window is not stored, so that it does not count as available. `inside`: cells of listing windows. */
function describe(
  key: string,
  column: StoredColumn,
  table: MarketTable,
  inside: number,
): { readonly field: ManifestField; readonly hasUnlisted: boolean } | null {
  const { dates, stride } = table
  const of = { cells: column.cells, listed: table.listed, isSilent: isPositive(table.kind, key) }
  const counted = { values: 0, hasUnlisted: false }
  let first = -1
  let last = -1
  for (let t = 0; t < dates.length; t++) {
    const before = counted.values
    countValues(of, t * stride, (t + 1) * stride, counted)
    if (counted.values === before) continue
    if (first < 0) first = t
    last = t
  }
  if (first < 0) return null
  const { store, origin, note, givenOnChange } = column
  const field: ManifestField = {
    key,
    store,
    origin,
    ...(note === undefined ? {} : { note }),
    ...(givenOnChange && { holds: givenOnChange.holds }),
    ...{ first: dates[first]!, last: dates[last]! },
    coverage: coverageOf(counted.values, inside),
    values: counted.values,
  }
  return { field, hasUnlisted: counted.hasUnlisted }
}

/** Adds the values in cells from … to − 1, and whether any cell is there outside of listing windows. */
function countValues(
  { cells, listed, isSilent }: { readonly cells: StoredColumn['cells']; readonly listed: Uint8Array; readonly isSilent: boolean },
  from: number,
  to: number,
  counted: { values: number; hasUnlisted: boolean },
): void {
  let values = 0
  for (let at = from; at < to; at++) {
    const cell = cells[at]!
    if (cell !== cell) continue
    if (listed[at] === 0) counted.hasUnlisted = true
    else if (!isSilent || cell > saysNothing) values++
  }
  counted.values += values
}

/** A number of the underlying share, which is there outside the bond's listing window too. */
export const isOfStock = (kind: SnapshotKind, key: string): boolean =>
  kind !== 'index' && markets[kind].fields.some((field) => field.key === key && field.ofStock)

export const coverageOf = (values: number, listed: number): number => Math.round((values / listed) * 1e6) / 1e6
