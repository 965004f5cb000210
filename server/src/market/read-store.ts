/** Reading what `store.ts` writes: every file checked against the manifest, columns into memory that threads share. */
import { join } from 'node:path'
import { doublesOf, type MissingBars, type Security, type StatementHistory } from '@convexa/engine'
import { readChecked, readDoubles, readWidened } from './column-file.ts'
import {
  columnFile,
  type Days,
  entryOf,
  type Manifest,
  type ManifestField,
  type ManifestYear,
  type Members,
  type reportAxes,
  reportFile,
} from './manifest.ts'
import { bytesOf, type MissingDays, membersOn, missingFile } from './store.ts'

/** A file's bytes in shared memory, checked. */
export async function readBytes(folder: string, manifest: Manifest, name: string): Promise<Uint8Array<SharedArrayBuffer>> {
  const entry = entryOf(manifest, name)
  const bytes = new Uint8Array(allocate(entry.bytes))
  await readChecked(join(folder, name), bytes, entry)
  return bytes
}

/** Room for a column that threads share. */
const allocate = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

/** Room for a field's column in shared memory, and for `spare` days behind it. Pages that nobody writes to take none. */
export const roomFor = ({ rows, stride }: Manifest, spare = 0): Float64Array<SharedArrayBuffer> =>
  new Float64Array(allocate((rows + spare) * stride * 8))

/** A field's column in shared memory, checked, as doubles. */
export async function readColumn(folder: string, manifest: Manifest, field: ManifestField): Promise<Float64Array<SharedArrayBuffer>> {
  const column = roomFor(manifest)
  await readDays(folder, manifest, field, column, { from: 0, to: manifest.rows })
  return column
}

/**
 * Reads some days of a field into its column, checked, as doubles; `finish` is called after each part that was read, some rows while they
 * are in the processor's cache. All of it is good only once this has resolved.
 */
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
      finish(part)
      continue
    }
    let done = part.from
    const read = field.store === 'f64' ? readDoubles : readWidened
    await read(join(folder, name), cells, entryOf(manifest, name), (count) => {
      const next = part.from + Math.floor(count / stride)
      if (next > done) finish({ from: done, to: next })
      done = next
    })
  }
}

/** A year of a field as doubles, checked: a checksum is of whole files. */
export async function readYear(folder: string, manifest: Manifest, field: ManifestField, year: ManifestYear): Promise<Float64Array> {
  const name = columnFile(field.key, year, field.store)
  const count = year.rows * manifest.stride
  const cells = field.store === 'f64' ? new Float64Array(count) : new Float32Array(count)
  await readChecked(join(folder, name), bytesOf(cells), entryOf(manifest, name))
  return field.store === 'f64' ? (cells as Float64Array) : doublesOf(cells)
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

/** A mask on the last day: of its files only the last year's is read. */
export async function readLastRow(folder: string, manifest: Manifest, mask: 'listed' | 'traded'): Promise<Uint8Array> {
  const last = manifest.years.at(-1)!
  const cells = await readBytes(folder, manifest, columnFile(mask, last, 'u8'))
  return cells.subarray((last.rows - 1) * manifest.stride, last.rows * manifest.stride)
}

/** A market series of the snapshot itself. */
export async function readBenchmark(folder: string, manifest: Manifest, code: string, spare = 0): Promise<Float64Array<SharedArrayBuffer>> {
  const series = new Float64Array(new SharedArrayBuffer((manifest.rows + spare) * 8)).fill(Number.NaN)
  const name = `benchmark.${code}.f64`
  await readChecked(join(folder, name), new Uint8Array(series.buffer, 0, manifest.rows * 8), entryOf(manifest, name))
  return series
}

/** The published statements with the items asked for; null where the snapshot has none of them. */
export async function readReports(folder: string, manifest: Manifest, wanted: (item: string) => boolean): Promise<StatementHistory | null> {
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

/** Bars that have not come, by day; nothing where none is missing, and in snapshots that do not distinguish them from suspensions yet. */
export const readMissingDays = async (folder: string, manifest: Manifest): Promise<MissingDays> =>
  manifest.files[missingFile] === undefined ? {} : readJson<MissingDays>(folder, manifest, missingFile)

/** The same as a panel has them; null where none is missing. */
export async function readMissingBars(folder: string, manifest: Manifest): Promise<MissingBars | null> {
  const days = Object.entries(await readMissingDays(folder, manifest))
  return days.length === 0 ? null : new Map(days.map(([date, codes]) => [date, new Set(codes)]))
}

export const readDates = (folder: string, manifest: Manifest): Promise<string[]> => readJson(folder, manifest, 'dates.json')
export const readSecurities = (folder: string, manifest: Manifest): Promise<Security[]> => readJson(folder, manifest, 'securities.json')

/** The same as stored text: a market's texts are megabytes, which the caller parses. */
export const readSecuritiesText = (folder: string, manifest: Manifest): Promise<Uint8Array> =>
  readBytes(folder, manifest, 'securities.json')
export const parseSecurities = (text: Uint8Array): Security[] => parseJson(text)

async function readJson<T>(folder: string, manifest: Manifest, name: string): Promise<T> {
  return parseJson(await readBytes(folder, manifest, name))
}

const parseJson = <T>({ buffer, byteOffset, byteLength }: Uint8Array): T =>
  JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString()) as T

/** Members of a snapshot's last day: in its manifest, or for an older snapshot counted in the files of its last year. */
export async function membersOf(folder: string, manifest: Manifest): Promise<Members> {
  if (manifest.members) return manifest.members
  const [securities, listed] = await Promise.all([readSecurities(folder, manifest), readLastRow(folder, manifest, 'listed')])
  return membersOn(manifest.last_date, securities, listed)
}
