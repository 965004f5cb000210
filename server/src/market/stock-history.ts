/**
 * Numbers of the underlying shares on days before their bonds were listed, out of the stock market's store: a bond's file has them from its
 * first row on, while windows of the share (its volatility of a year) are full on that day.
 *
 * - Only days before the bond's first listed day are filled, and only cells that the bond's own file leaves empty.
 * - Its numbers are those that its own market has (`cell-filling.ts`): absent before its own listing, carried over suspended days, on which
 *   nothing was traded; what is absent on a day on which it trades is absent.
 * - Adjusted prices meet: a history is scaled so that on the bond's first day it is what the bond's own data say. With factors in both stores
 *   prices stay as they were traded and the factors are scaled; else the adjusted price stands in the place of the traded one.
 */
import { adjustments } from '@convexa/contract/enums/adjust'
import { markets, type Panel, placesByCode, type Security } from '@convexa/engine'
import { type CellFilling, cellFilling } from './cell-filling.ts'
import { placesOf } from './hold.ts'
import { columnFile, type Days, type Manifest, type ManifestField, type ManifestYear, readManifest } from './manifest.ts'
import { readBytes, readDates, readSecurities, readYear } from './read-store.ts'

/** The stock market's store as bonds look things up in it. */
export interface StockStore {
  readonly folder: string
  readonly manifest: Manifest
  readonly dates: readonly string[]
  readonly placeOf: ReadonlyMap<string, number>
  readonly securities: readonly Security[]
}

export async function openStockStore(folder: string): Promise<StockStore> {
  const manifest = await readManifest(folder)
  const [dates, securities] = await Promise.all([readDates(folder, manifest), readSecurities(folder, manifest)])
  return { folder, manifest, dates, securities, placeOf: placesByCode(securities) }
}

/** A bond whose share has a history. */
interface Bond {
  readonly place: number
  /** Of the share in its own store. */
  readonly share: number
  /** Row of its first listed day. */
  readonly first: number
  /** What the store says on the bond's first day. */
  seam: number
}

interface StockHistoryInput {
  readonly manifest: Manifest
  readonly panel: Pick<Panel, 'dates' | 'stride' | 'listed'>
  readonly securities: readonly Security[]
}

/** Which numbers of the store make one of the bond's, and whether they are scaled to it. */
interface Source {
  readonly fields: readonly ManifestField[]
  readonly per: number
  readonly isScaled: boolean
}

/** Fills the days from … to − 1 of a column of the bond market; those behind are loaded. */
export async function fillFromStocks(
  store: StockStore,
  deps: StockHistoryInput,
  key: string,
  column: Float64Array,
  days: Days,
): Promise<void> {
  const source = sourceOf(store, deps.manifest, key)
  const bonds = source === null ? [] : bondsOf(store, deps, days.from)
  if (source === null || bonds.length === 0) return
  const { dates, stride } = deps.panel
  const rowOf = new Map(dates.map((date, row) => [date, row]))
  const filled = new Uint8Array((days.to - days.from) * stride)
  const latest = bonds.reduce((most, { first }) => Math.max(most, first), 0)
  const fillings = source.fields.map((field) => cellFilling(store.manifest, field))
  const years = await yearsFor(store, source, fillings, bonds, dates[days.from]!, dates[latest]!)
  for await (const { year, columns } of filledYears(store, source, fillings, years)) {
    for (let t = 0; t < year.rows; t++) {
      const row = rowOf.get(store.dates[year.row + t]!) ?? -1
      for (const bond of bonds) {
        const at = t * store.manifest.stride + bond.share
        const value = columns.reduce((product, cells) => product * cells[at]!, 1 / source.per)
        if (row === bond.first) bond.seam = value
        if (row < days.from || row >= days.to || row >= bond.first || value !== value) continue
        const cell = row * stride + bond.place
        if (column[cell] === column[cell]) continue
        column[cell] = value
        filled[cell - days.from * stride] = 1
      }
    }
  }
  if (!source.isScaled) return
  for (const { place, first, seam } of bonds) {
    const scale = column[first * stride + place]! / seam
    for (let row = days.from; row < Math.min(first, days.to); row++) {
      const cell = row * stride + place
      if (filled[cell - days.from * stride] === 1) column[cell] = column[cell]! * scale
    }
  }
}

function sourceOf({ manifest: stocks }: StockStore, bonds: Manifest, key: string): Source | null {
  const field = bonds.kind === 'index' ? undefined : markets[bonds.kind].fields.find((each) => each.key === key)
  const name = field?.ofStock?.field
  if (field === undefined || name === undefined) return null
  const stored = (of: string) => stocks.fields.filter((each) => each.key === of)
  const factors = adjustments[stocks.adjust].adjusted ? [] : stored('adj_factor')
  const hasOwnFactor = bonds.fields.some((each) => each.key === 'adj_factor_stk')
  const areAsTraded = !adjustments[stocks.adjust].adjusted && (factors.length === 0 || hasOwnFactor)
  const of = (fields: readonly ManifestField[], isScaled: boolean): Source => {
    return { fields, per: field.ofStock?.per ?? 1, isScaled }
  }
  // Without a factor, or with adjusted prices, it is the same on all days: that of the bond's first day.
  if (name === 'adj_factor') return of(factors, true)
  if (stored(name).length === 0) return null
  if (name === 'close' && !areAsTraded) return of([...stored(name), ...factors], true)
  if (name === 'pre_close' && !areAsTraded) return null
  return of(stored(name), false)
}

/** Those that were not listed on the row yet, and whose shares are in the store. */
function bondsOf({ placeOf }: StockStore, { panel, securities }: StockHistoryInput, from: number): Bond[] {
  const { dates, stride, listed } = panel
  return securities.flatMap(({ stockCode }, place): Bond[] => {
    const share = placeOf.get(stockCode ?? '')
    if (share === undefined || listed[from * stride + place] === 1) return []
    let first = from + 1
    while (first < dates.length && listed[first * stride + place] === 0) first++
    return first === dates.length ? [] : [{ place, share, first, seam: Number.NaN }]
  })
}

/**
 * The years with the days between two dates, and those before them that a share suspended on the first day has its last number from.
 * Ascending.
 */
async function yearsFor(
  { folder, manifest, dates, securities }: StockStore,
  { fields }: Source,
  fillings: readonly CellFilling[],
  bonds: readonly Bond[],
  from: string,
  to: string,
): Promise<ManifestYear[]> {
  const years = manifest.years.filter(({ year }) => year >= from.slice(0, 4) && year <= to.slice(0, 4))
  let waiting = fillings.some(({ looksBack }) => looksBack) ? bonds.filter(({ share }) => (securities[share]!.listed ?? '') < from) : []
  const earlier = manifest.years.filter(({ year }) => year <= from.slice(0, 4)).reverse()
  for (const year of earlier) {
    if (waiting.length === 0) break
    if (!years.includes(year)) years.unshift(year)
    const listed = await maskOf({ folder, manifest }, 'listed', year)
    const columns = await Promise.all(fields.map((field) => readYear(folder, manifest, field, year)))
    const isKnown = ({ share }: Bond) => {
      for (let t = 0; t < year.rows && dates[year.row + t]! <= from; t++) {
        const at = t * manifest.stride + share
        if (columns.every((cells) => cells[at] === cells[at]) && listed[at] !== 0) return true
      }
      return false
    }
    waiting = waiting.filter((bond) => !isKnown(bond))
  }
  return years
}

const maskOf = ({ folder, manifest }: Pick<StockStore, 'folder' | 'manifest'>, mask: 'listed' | 'traded', year: ManifestYear) =>
  readBytes(folder, manifest, columnFile(mask, year, 'u8'))

/** The numbers of each year as the shares' own market has them. Each year continues from the last day before it. */
async function* filledYears(
  store: StockStore,
  { fields }: Source,
  fillings: readonly CellFilling[],
  years: readonly ManifestYear[],
): AsyncGenerator<{ readonly year: ManifestYear; readonly columns: readonly Float64Array[] }> {
  const { folder, manifest } = store
  const { stride } = manifest
  const dates = ['', ...store.dates]
  const places = Int32Array.of(-1, ...placesOf(store.dates))
  const behind = <C extends Uint8Array | Float64Array>(room: C, last: ArrayLike<number>, cells: ArrayLike<number>): C => {
    room.set(last)
    room.set(cells, stride)
    return room
  }
  let last = {
    listed: new Uint8Array(stride),
    traded: new Uint8Array(stride),
    columns: fields.map(() => new Float64Array(stride).fill(Number.NaN)),
  }
  for (const year of years) {
    const length = (year.rows + 1) * stride
    const days: Days = { from: 1, to: year.rows + 1 }
    const listed = behind(new Uint8Array(length), last.listed, await maskOf(store, 'listed', year))
    const traded = behind(new Uint8Array(length), last.traded, await maskOf(store, 'traded', year))
    const here = { from: year.row, to: year.row + year.rows + 1 }
    const deps = { listed, traded, stride, dates: dates.slice(here.from, here.to), places: () => places.slice(here.from, here.to) }
    const columns: Float64Array[] = []
    for (const [k, field] of fields.entries()) {
      const cells = behind(new Float64Array(length), last.columns[k]!, await readYear(folder, manifest, field, year))
      fillings[k]!.fill(cells, deps, days)
      columns.push(cells)
    }
    last = {
      listed: listed.slice(-stride),
      traded: traded.slice(-stride),
      columns: columns.map((cells) => cells.slice(-stride)),
    }
    for (const [k, cells] of columns.entries()) fillings[k]!.end(cells, stride, days)
    yield { year, columns: columns.map((cells) => cells.subarray(stride)) }
  }
}
