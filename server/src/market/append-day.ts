/**
 * A day behind the newest snapshot. The snapshot that follows shares the files of the one before; the new day's row is written behind
 * theirs, where the old manifest does not look. So it costs a row for each field, not a market. A day that is there can be said anew
 * (`putDay`): then the files of its year that hold other bytes are written, the rest is shared.
 *
 * 1. Under the lock of all who publish: the newest snapshot, with room for the day's securities (`laid`).
 * 2. Every file flushed with its row, the manifest last, the folder renamed, one row inserted: that row is the publication.
 *
 * A kill at any point leaves the old snapshot as it was. What a dead writer left behind its rows is never written over: a file that is
 * longer than its manifest says is copied first.
 */
import { rm } from 'node:fs/promises'
import { markets, placesByCode, type Security, type StatementHistory, statedKeys } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { Quality } from '../db/tables/quality.ts'
import type { Database } from '../db/tables.ts'
import { ownBenchmarks } from './benchmark.ts'
import { isValueOf } from './cell-filling.ts'
import { isEntry } from './column-file.ts'
import { placesOf as calendarPlaces, holdForward, noneGiven } from './hold.ts'
import { columnFile, entryOf, type Manifest, type ManifestField, readManifest, type SnapshotKind, type Source } from './manifest.ts'
import { nameAndUpload } from './name-snapshot.ts'
import { type Found, withFound } from './quality.ts'
import { readBytes, readColumn, readDates, readMask, readMissingDays, readReports, readSecurities, readYear } from './read-store.ts'
import { reorderedStatements } from './reordered-statements.ts'
import { announce, localFolder, newestSnapshot, openAside, publishing, type Snapshot, snapshotById } from './snapshot.ts'
import {
  bytesOf,
  type Carried,
  carriedOf,
  coverageOf,
  type FileChange,
  factsIn,
  followStore,
  isOfStock,
  listedCells,
  membersOn,
  missingBytes,
  missingFile,
  reportFiles,
  type StoredColumn,
  strideFor,
} from './store.ts'

export interface NewDay {
  readonly date: string
  /** All of the market, ascending by code: those that the snapshot has, as they are now, and new listings. */
  readonly securities: readonly Security[]
  /** By field, a value for each security, NaN = absent. Fields not named have no value that day. */
  readonly columns: ReadonlyMap<string, ArrayLike<number>>
  /** 1 = inside its listing window, 1 = traded; by security. */
  readonly listed: Uint8Array
  readonly traded: Uint8Array
  /** Codes of those listed of whom neither a bar nor a suspension has come, ascending; absent: what was known of the day stays. */
  readonly missingBars?: readonly string[]
  /** The market's own series that day, by code; of a day that is said anew they are worked out again. */
  readonly benchmarks: ReadonlyMap<string, number>
  /** All published statements of the market, where there are others than before. */
  readonly reports?: StatementHistory
  /** The files that it came in, for the manifest; one of a known name takes its place. */
  readonly sources?: Source['files']
  /** What the next day goes on from. */
  readonly carried?: Carried
  /** What its checks found. */
  readonly found?: Found
}

/** `refused`: a Chinese sentence; nothing has changed. */
export type Appended = { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly refused: string }

/** As `Appended`, with what became of the day. */
export type Put =
  | (Extract<Appended, { ok: true }> & { readonly how: 'appended' | 'revised' | 'unchanged' })
  | Extract<Appended, { ok: false }>

interface Place {
  readonly db: Kysely<Database>
  readonly dataDir: string
}

/** Publishes the newest snapshot of a kind with one more day. NOTIFY as `publish` does. */
export async function appendDay(to: Place, kind: SnapshotKind, day: NewDay): Promise<Appended> {
  const put = await putInto(to, kind, day, (newest) =>
    day.date <= newest.lastDate ? `数据已到 ${newest.lastDate}，不能追加 ${day.date}` : null,
  )
  return put.ok ? { ok: true, snapshot: put.snapshot } : put
}

/** Publishes the newest snapshot of a kind with a day behind it, or with a day of its own said anew; the same as it is publishes nothing. */
export const putDay = (to: Place, kind: SnapshotKind, day: NewDay): Promise<Put> => putInto(to, kind, day, () => null)

async function putInto({ db, dataDir }: Place, kind: SnapshotKind, day: NewDay, refuse: (newest: Snapshot) => string | null): Promise<Put> {
  let aside: string | null = null
  try {
    const outcome = await publishing(db, async (transaction) => {
      const newest = await newestSnapshot(transaction, kind)
      if (newest === null) return { refused: '还没有行情数据，无法追加' }
      const refused = refuse(newest)
      if (refused !== null) return { refused }
      const folder = await localFolder(dataDir, newest)
      const manifest = await readManifest(folder, newest.manifestSha256)
      const securities = JSON.stringify(day.securities)
      // On most days they are the same: then nobody has to read them one by one.
      const same = isEntry(entryOf(manifest, 'securities.json'), securities)
      const places = same ? allPlaces(day.securities.length) : placesOf(await readSecurities(folder, manifest), day.securities)
      if (places === null) return { refused: '追加的数据缺少已有的证券' }
      const dates = await readDates(folder, manifest)
      const isNew = day.date > newest.lastDate
      const row = isNew ? manifest.rows : dates.indexOf(day.date)
      if (row < 0) return { refused: `${day.date} 不在已有的交易日中` }
      aside = await openAside(dataDir)
      const facts = (same ? manifest.facts : undefined) ?? factsIn(kind, day.securities)
      const stated = (same ? manifest.told : undefined) ?? statedKeys(day.securities)
      const { changes, next } = await following({ folder, manifest, dates, places, row }, day, { facts, told: stated })
      if (!same) changes.set('securities.json', { write: () => Buffer.from(securities) })
      const written = await followStore(aside, { folder, manifest }, changes, next)
      if (written.manifest.data_version === newest.dataVersion) return { id: newest.id, how: 'unchanged' as const }
      const quality = grown(newest.quality, day, isNew)
      const named = await nameAndUpload(dataDir, aside, written.manifest, newest)
      return {
        id: await announce(transaction, dataDir, aside, named, written, quality),
        how: isNew ? ('appended' as const) : ('revised' as const),
      }
    })
    if ('refused' in outcome) return { ok: false, refused: outcome.refused }
    return { ok: true, snapshot: (await snapshotById(db, outcome.id))!, how: outcome.how }
  } finally {
    if (aside !== null) await rm(aside, { recursive: true, force: true })
  }
}

const allPlaces = (count: number): Int32Array => Int32Array.from({ length: count }, (_, place) => place)

/** Where the known securities stand among those of the day, which may have others' codes by now; null when one of them is missing. */
function placesOf(known: readonly Security[], now: readonly Security[]): Int32Array | null {
  const placeOf = placesByCode(now)
  const places = Int32Array.from(known, ({ code }) => placeOf.get(code) ?? -1)
  return places.includes(-1) ? null : places
}

/** Where a day is put: the snapshot that it follows, and its row there. */
interface Base {
  readonly folder: string
  readonly manifest: Manifest
  readonly dates: readonly string[]
  readonly places: Int32Array
  readonly row: number
}

async function following(
  base: Base,
  day: NewDay,
  said: Required<Pick<Manifest, 'facts' | 'told'>>,
): Promise<{ changes: Map<string, FileChange>; next: Omit<Manifest, 'data_version' | 'files'> }> {
  const { folder, manifest, places, row } = base
  const { kind } = manifest
  const { date, securities } = day
  const isNew = row === manifest.rows
  const hasNew = securities.length > places.length
  // A code that changed stands at another place of the order.
  const isMoved = places.some((place, i) => i > 0 && place < places[i - 1]!)
  const isLaidAnew = hasNew || isMoved
  const stride = securities.length > manifest.stride ? strideFor(securities.length) : manifest.stride
  const year = date.slice(0, 4)
  const last = manifest.years.at(-1)!
  const continues = !isNew || last.year === year
  const years = !isNew
    ? manifest.years
    : continues
      ? [...manifest.years.slice(0, -1), { ...last, rows: last.rows + 1 }]
      : [...manifest.years, { year, row, rows: 1 }]
  const changes = new Map<string, FileChange>()

  /** A column's row of the day, and with new listings the rows before it laid out anew. */
  const column = async (key: string, store: keyof typeof cellsOf, values: ArrayLike<number> | undefined, absent: number) => {
    const make = cellsOf[store]
    const today = make(stride).fill(absent)
    const isAnywhere = store === 'u8' || isOfStock(kind, key)
    for (let i = 0; i < securities.length; i++) today[i] = (isAnywhere || day.listed[i] === 1 ? values?.[i] : absent) ?? absent
    const isStored = manifest.files[columnFile(key, last, store)] !== undefined
    const stored = async (name: string) => {
      const { buffer } = await readBytes(folder, manifest, name)
      return store === 'u8' ? new Uint8Array(buffer) : store === 'f32' ? new Float32Array(buffer) : new Float64Array(buffer)
    }
    const laid = async (name: string, rows: number) => {
      const out = make(rows * stride).fill(absent)
      if (!isStored) return out
      const cells = await stored(name)
      for (let t = 0; t < rows; t++) for (let i = 0; i < places.length; i++) out[t * stride + places[i]!] = cells[t * manifest.stride + i]!
      return out
    }
    for (const each of years) {
      const name = columnFile(key, each, store)
      const isToday = each.year === year
      if (isToday && !continues) changes.set(name, { write: () => bytesOf(today) })
      else if (isToday && isNew && isStored && !isLaidAnew) changes.set(name, { append: bytesOf(today) })
      else if (isToday && !isNew && isStored && !isLaidAnew) {
        const cells = await stored(name)
        const at = (row - each.row) * stride
        if (isSame(cells.subarray(at, at + stride), today)) continue
        cells.set(today, at)
        changes.set(name, { write: () => bytesOf(cells) })
      } else if (isLaidAnew || !isStored) {
        const write = async () => {
          const cells = await laid(name, isToday && isNew ? each.rows - 1 : each.rows)
          if (!isToday) return bytesOf(cells)
          if (isNew) return new Uint8Array(Buffer.concat([bytesOf(cells), bytesOf(today)]))
          cells.set(today, (row - each.row) * stride)
          return bytesOf(cells)
        }
        changes.set(name, { write })
      }
    }
  }

  const begun = (key: string): ManifestField | null => {
    const field = kind === 'index' ? undefined : markets[kind].fields.find((each) => each.key === key)
    const values = day.columns.get(key)!
    const isValue = isValueOf(kind, key)
    const has = securities.some((_, i) => day.listed[i] === 1 && isValue(values[i]!))
    return has ? { key, store: field?.store ?? 'f64', origin: 'file', first: date, last: date, coverage: 0, values: 0 } : null
  }
  const unknown = [...day.columns.keys()].filter((key) => !manifest.fields.some((field) => field.key === key))
  const mask = manifest.listed_cells === undefined || !isNew ? await readMask(folder, manifest, 'listed') : null
  const counted = manifest.listed_cells ?? listedCells(mask!)
  const before = isNew ? null : mask!.subarray(row * manifest.stride, (row + 1) * manifest.stride)
  const listed = counted - (before ? listedCells(before) : 0) + listedCells(day.listed)
  const fields: ManifestField[] = []
  for (const field of [...manifest.fields, ...unknown.flatMap((key) => begun(key) ?? [])]) {
    const values = day.columns.get(field.key)
    await column(field.key, field.store, values, Number.NaN)
    const isValue = isValueOf(kind, field.key)
    let today = 0
    for (let i = 0; i < securities.length; i++) if (day.listed[i] === 1 && values !== undefined && isValue(values[i]!)) today++
    const gone = before && manifest.fields.includes(field) ? await valuesOn(base, field, before) : 0
    const total =
      field.holds === undefined
        ? (field.values ?? Math.round(field.coverage * counted)) - gone + today
        : await storedValues(base, day, field, field.holds)
    const first = today > 0 && date < field.first ? date : field.first
    const newest = today > 0 && date > field.last ? date : field.last
    fields.push({ ...field, first, last: newest, coverage: coverageOf(total, listed), values: total })
  }
  await column('listed', 'u8', day.listed, 0)
  await column('traded', 'u8', day.traded, 0)
  for (const code of manifest.benchmarks) {
    if (isNew) changes.set(`benchmark.${code}.f64`, { append: bytesOf(Float64Array.of(day.benchmarks.get(code) ?? Number.NaN)) })
  }
  if (!isNew && manifest.benchmarks.length > 0) {
    for (const [code, series] of await seriesAnew(base, day, stride)) changes.set(`benchmark.${code}.f64`, { write: () => bytesOf(series) })
  }
  if (day.missingBars) {
    const { [date]: known = [], ...others } = await readMissingDays(folder, manifest)
    const now = { ...others, ...(day.missingBars.length > 0 && { [date]: day.missingBars }) }
    const isOther = JSON.stringify(known) !== JSON.stringify(day.missingBars)
    if (isOther) changes.set(missingFile, Object.keys(now).length === 0 ? 'left out' : { write: () => missingBytes(now) })
  }
  const dates = isNew ? [...base.dates, date] : base.dates
  const lastListed = mask && date !== dates.at(-1) ? mask.subarray((manifest.rows - 1) * manifest.stride) : day.listed
  if (isNew) changes.set('dates.json', { write: () => Buffer.from(JSON.stringify(dates)) })
  if (day.reports) for (const [name, bytes] of reportFiles(day.reports)) changes.set(name, { write: () => bytes })
  else if (isMoved && manifest.reports) {
    const book = reorderedStatements((await readReports(folder, manifest, () => true))!, places, securities.length)
    for (const [name, bytes] of reportFiles(book)) changes.set(name, { write: () => bytes })
  } else if (hasNew && manifest.reports)
    changes.set('reports.starts.i32', { write: () => laidStarts(folder, manifest, places, securities.length) })
  const names = new Set(day.sources?.map(({ name }) => name))
  const files = [...manifest.source.files.filter(({ name }) => !names.has(name)), ...(day.sources ?? [])]
  const { aside, factors, ...others } = manifest
  const placeOf = placesByCode(securities)
  const byCode = <T>(of: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(of).map(([code, value]) => [securities[placeOf.get(code) ?? -1]?.code ?? code, value]))
  const next = {
    ...others,
    last_date: dates.at(-1)!,
    rows: dates.length,
    securities: securities.length,
    stride,
    years,
    listed_cells: listed,
    members: membersOn(dates.at(-1)!, securities, lastListed),
    fields,
    ...said,
    ...(day.reports && { reports: { versions: day.reports.quarters.length, items: [...day.reports.items.keys()] } }),
    source: { ...manifest.source, files },
    // Behind a day before the newest the newer ones have been judged already.
    ...carriedOf(
      (date === dates.at(-1) && day.carried) || { ...(aside && { aside: byCode(aside) }), ...(factors && { factors: byCode(factors) }) },
    ),
  }
  return { changes, next }
}

/** NaN is the same as NaN. */
function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
  return true
}

/** How many of the listed cells of the day have a value so far. */
async function valuesOn({ folder, manifest, row }: Base, field: ManifestField, listed: Uint8Array): Promise<number> {
  const year = manifest.years.find((each) => row >= each.row && row < each.row + each.rows)!
  const cells = await readYear(folder, manifest, field, year)
  const isValue = isValueOf(manifest.kind, field.key)
  let count = 0
  for (let i = 0, at = (row - year.row) * manifest.stride; i < manifest.stride; i++, at++)
    if (listed[i] === 1 && isValue(cells[at]!)) count++
  return count
}

/** How many listed cells of all days have a value, with the day, where a cell counts for some days behind its own. */
async function storedValues(base: Base, day: NewDay, field: ManifestField, holds: number): Promise<number> {
  const { folder, manifest, row } = base
  const dates = row === manifest.rows ? [...base.dates, day.date] : base.dates
  const stride = day.securities.length
  const count = dates.length * stride
  const given = await readColumn(folder, manifest, field)
  const column = laid(base, day, new Float64Array(count).fill(Number.NaN), given, day.columns.get(field.key), stride)
  const listed = laid(base, day, new Uint8Array(count), await readMask(folder, manifest, 'listed'), day.listed, stride)
  holdForward(column, { listed, stride, places: calendarPlaces(dates) }, holds, noneGiven(stride), 0, dates.length)
  const isValue = isValueOf(manifest.kind, field.key)
  return column.reduce((sum, cell, at) => sum + Number(listed[at] === 1 && isValue(cell)), 0)
}

/** The cells of all days in the places that the securities have now, with those of the day. */
function laid<C extends Float64Array | Uint8Array>(
  { manifest, dates, places, row }: Base,
  { securities }: NewDay,
  room: C,
  cells: ArrayLike<number>,
  today: ArrayLike<number> | undefined,
  stride: number,
): C {
  for (let t = 0; t < dates.length; t++) {
    for (let i = 0; i < places.length; i++) room[t * stride + places[i]!] = cells[t * manifest.stride + i]!
  }
  for (let i = 0; i < securities.length; i++) room[row * stride + i] = today?.[i] ?? Number.NaN
  return room
}

/** The market's own series of all days, with a day that is said anew. */
async function seriesAnew(base: Base, day: NewDay, stride: number): Promise<Map<string, Float64Array>> {
  const { folder, manifest, dates } = base
  const count = dates.length * stride
  const columns = new Map<string, StoredColumn>()
  for (const field of manifest.fields.filter(({ key }) => key === 'close' || key === 'adj_factor')) {
    const stored = await readColumn(folder, manifest, field)
    const cells = laid(base, day, new Float64Array(count).fill(Number.NaN), stored, day.columns.get(field.key), stride)
    columns.set(field.key, { store: 'f64', cells, origin: 'file' })
  }
  const listed = laid(base, day, new Uint8Array(count), await readMask(folder, manifest, 'listed'), day.listed, stride)
  const traded = laid(base, day, new Uint8Array(count), await readMask(folder, manifest, 'traded'), day.traded, stride)
  return ownBenchmarks({ kind: manifest.kind, dates, securities: day.securities, stride, columns, listed, traded })
}

const cellsOf = {
  f64: (length: number) => new Float64Array(length),
  f32: (length: number) => new Float32Array(length),
  u8: (length: number) => new Uint8Array(length),
} as const

/** Start of each security's statements; a new security has none. */
async function laidStarts(folder: string, manifest: Manifest, places: Int32Array, count: number): Promise<Uint8Array> {
  const before = new Int32Array((await readBytes(folder, manifest, 'reports.starts.i32')).buffer)
  const starts = new Int32Array(count + 1)
  let from = 0
  for (let i = 0; i < places.length; i++) {
    starts.fill(before[i]!, from, places[i]! + 1)
    from = places[i]! + 1
  }
  starts.fill(before[places.length]!, from)
  return bytesOf(starts)
}

const grown = (quality: Quality, { date, securities, listed, traded, found }: NewDay, isNew: boolean): Quality => {
  const rows = isNew && {
    rows: quality.rows + listedCells(traded),
    listedRows: quality.listedRows + listedCells(listed),
    lastDate: date,
  }
  const judged = found ? withFound(quality, date, found) : quality
  return { ...judged, ...rows, securities: securities.length }
}
