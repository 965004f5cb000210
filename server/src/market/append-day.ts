/**
 * A day behind the newest snapshot. The snapshot that follows shares the files of the one before; the new day's row is written behind
 * theirs, where the old manifest does not look. So it costs a row for each field, not a market.
 *
 * 1. Under the lock of all who publish: the newest snapshot, with room for the day's securities (`laid`).
 * 2. Every file flushed with its row, the manifest last, the folder renamed, one row inserted: that row is the publication.
 *
 * A kill at any point leaves the old snapshot as it was. What a dead writer left behind its rows is never written over: a file that is
 * longer than its manifest says is copied first.
 */
import { rm } from 'node:fs/promises'
import { markets, type Security, toldBy } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import type { Quality } from './quality.ts'
import { announce, newestSnapshot, openAside, publishing, type Snapshot, snapshotById, snapshotPath } from './snapshot.ts'
import {
  bytesOf,
  columnFile,
  coverageOf,
  type FileChange,
  factsIn,
  followStore,
  listedCells,
  type Manifest,
  type ManifestField,
  readBytes,
  readDates,
  readManifest,
  readMask,
  readSecurities,
  type SnapshotKind,
  type Source,
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
  /** The market's own series that day, by code. */
  readonly benchmarks: ReadonlyMap<string, number>
  /** The file that it came in, for the manifest. */
  readonly source?: Source['files'][number]
}

/** `refused`: a Chinese sentence; nothing has changed. */
export type Appended = { readonly ok: true; readonly snapshot: Snapshot } | { readonly ok: false; readonly refused: string }

/** Publishes the newest snapshot of a kind with one more day. NOTIFY as `publish` does. */
export async function appendDay(to: { db: Kysely<Database>; dataDir: string }, kind: SnapshotKind, day: NewDay): Promise<Appended> {
  const { db, dataDir } = to
  let aside: string | null = null
  try {
    const outcome = await publishing(db, async (transaction) => {
      const newest = await newestSnapshot(transaction, kind)
      if (newest === null) return { refused: '还没有行情数据，无法追加' }
      if (day.date <= newest.lastDate) return { refused: `数据已到 ${newest.lastDate}，不能追加 ${day.date}` }
      const folder = snapshotPath(dataDir, newest)
      const manifest = await readManifest(folder, newest.manifestSha256)
      const securities = Buffer.from(JSON.stringify(day.securities))
      // On most days they are the same: then nobody has to read them one by one.
      const same = securities.equals(await readBytes(folder, manifest, 'securities.json'))
      const places = same ? allPlaces(day.securities.length) : placesOf(await readSecurities(folder, manifest), day.securities)
      if (places === null) return { refused: '追加的数据缺少已有的证券' }
      aside = await openAside(dataDir)
      const facts = (same ? manifest.facts : undefined) ?? factsIn(kind, day.securities)
      const told = (same ? manifest.told : undefined) ?? toldBy(day.securities)
      const { changes, next } = await following(folder, manifest, places, day, { facts, told })
      if (!same) changes.set('securities.json', { write: () => securities })
      const written = await followStore(aside, { folder, manifest }, changes, next)
      return { id: await announce(transaction, dataDir, aside, written, grown(newest.quality, day)) }
    })
    if ('refused' in outcome) return { ok: false, refused: outcome.refused }
    return { ok: true, snapshot: (await snapshotById(db, outcome.id))! }
  } finally {
    if (aside !== null) await rm(aside, { recursive: true, force: true })
  }
}

const allPlaces = (count: number): Int32Array => Int32Array.from({ length: count }, (_, place) => place)

/** Where the known securities stand among those of the day; null when one of them is missing. */
function placesOf(known: readonly Security[], now: readonly Security[]): Int32Array | null {
  const placeOf = new Map(now.map(({ code }, place) => [code, place]))
  const places = Int32Array.from(known, ({ code }) => placeOf.get(code) ?? -1)
  return places.includes(-1) ? null : places
}

async function following(
  folder: string,
  manifest: Manifest,
  places: Int32Array,
  day: NewDay,
  said: Required<Pick<Manifest, 'facts' | 'told'>>,
): Promise<{ changes: Map<string, FileChange>; next: Omit<Manifest, 'data_version' | 'files'> }> {
  const { kind } = manifest
  const { date, securities } = day
  const row = manifest.rows
  const hasNew = securities.length > places.length
  const stride = securities.length > manifest.stride ? strideFor(securities.length) : manifest.stride
  const year = date.slice(0, 4)
  const last = manifest.years.at(-1)!
  const continues = last.year === year
  const years = continues ? [...manifest.years.slice(0, -1), { ...last, rows: last.rows + 1 }] : [...manifest.years, { year, row, rows: 1 }]
  const changes = new Map<string, FileChange>()

  /** A column's row of the day, and with new listings the rows before it laid out anew. */
  const column = (key: string, store: keyof typeof cellsOf, values: ArrayLike<number> | undefined, absent: number) => {
    const make = cellsOf[store]
    const today = make(stride).fill(absent)
    for (let i = 0; i < securities.length; i++) today[i] = values?.[i] ?? absent
    const isStored = manifest.files[columnFile(key, last, store)] !== undefined
    const before = async (name: string, rows: number) => {
      const out = make(rows * stride).fill(absent)
      if (!isStored) return out
      const { buffer } = await readBytes(folder, manifest, name)
      const cells = store === 'u8' ? new Uint8Array(buffer) : store === 'f32' ? new Float32Array(buffer) : new Float64Array(buffer)
      for (let t = 0; t < rows; t++) for (let i = 0; i < places.length; i++) out[t * stride + places[i]!] = cells[t * manifest.stride + i]!
      return out
    }
    for (const each of years) {
      const name = columnFile(key, each, store)
      const isToday = each.year === year
      if (isToday && !continues) changes.set(name, { write: () => bytesOf(today) })
      else if (isToday && isStored && !hasNew) changes.set(name, { append: bytesOf(today) })
      else if (hasNew || !isStored) {
        const write = async () => {
          const laid = await before(name, isToday ? each.rows - 1 : each.rows)
          return isToday ? new Uint8Array(Buffer.concat([bytesOf(laid), bytesOf(today)])) : bytesOf(laid)
        }
        changes.set(name, { write })
      }
    }
  }

  const begun = (key: string): ManifestField | null => {
    const field = kind === 'index' ? undefined : markets[kind].fields.find((each) => each.key === key)
    const values = day.columns.get(key)!
    const has = securities.some((_, i) => day.listed[i] === 1 && values[i] === values[i])
    return has ? { key, store: field?.store ?? 'f64', origin: 'file', first: date, last: date, coverage: 0, values: 0 } : null
  }
  const unknown = [...day.columns.keys()].filter((key) => !manifest.fields.some((field) => field.key === key))
  const counted = manifest.listed_cells ?? listedCells(await readMask(folder, manifest, 'listed'))
  const listed = counted + listedCells(day.listed)
  const fields = [...manifest.fields, ...unknown.flatMap((key) => begun(key) ?? [])].map((field): ManifestField => {
    const values = day.columns.get(field.key)
    column(field.key, field.store, values, Number.NaN)
    let today = 0
    for (let i = 0; i < securities.length; i++) if (day.listed[i] === 1 && values !== undefined && values[i] === values[i]) today++
    const total = (field.values ?? Math.round(field.coverage * counted)) + today
    return { ...field, last: today > 0 ? date : field.last, coverage: coverageOf(total, listed), values: total }
  })
  column('listed', 'u8', day.listed, 0)
  column('traded', 'u8', day.traded, 0)
  for (const code of manifest.benchmarks) {
    changes.set(`benchmark.${code}.f64`, { append: bytesOf(Float64Array.of(day.benchmarks.get(code) ?? Number.NaN)) })
  }
  const dates = [...(await readDates(folder, manifest)), date]
  changes.set('dates.json', { write: () => Buffer.from(JSON.stringify(dates)) })
  if (hasNew && manifest.reports)
    changes.set('reports.starts.i32', { write: () => laidStarts(folder, manifest, places, securities.length) })
  const source = day.source === undefined ? manifest.source : { ...manifest.source, files: [...manifest.source.files, day.source] }
  const next = {
    ...manifest,
    last_date: date,
    rows: row + 1,
    securities: securities.length,
    stride,
    years,
    listed_cells: listed,
    fields,
    ...said,
    source,
  }
  return { changes, next }
}

const cellsOf = {
  f64: (length: number) => new Float64Array(length),
  f32: (length: number) => new Float32Array(length),
  u8: (length: number) => new Uint8Array(length),
} as const

/** Where each security's statements begin; who is new has none. */
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

const grown = (quality: Quality, { date, securities, listed, traded }: NewDay): Quality => ({
  ...quality,
  rows: quality.rows + listedCells(traded),
  listedRows: quality.listedRows + listedCells(listed),
  securities: securities.length,
  lastDate: date,
})
