/**
 * Numbers of the underlying shares on days before their bonds were listed, out of the stock market's store: a bond's file has them from its
 * first row on, while windows of the share (its volatility of a year) are full on that day.
 *
 * - Only days before the bond's first listed day are filled, and only cells that the bond's own file leaves empty.
 * - The share's own rules hold: it is absent before its own listing, its price stays on a suspended day, on which nothing was traded; what is
 *   absent on a day on which it trades is absent.
 * - Adjusted prices meet: a history is scaled so that on the bond's first day it is what the bond's own data say. With factors in both stores
 *   prices stay as they were traded and the factors are scaled; else the adjusted price stands in the place of the traded one.
 */
import { markets, type Panel, type Security } from '@convexa/engine'
import { columnFile, type Manifest, type ManifestField, type ManifestYear, readManifest } from './manifest.ts'
import { type Days, readBytes, readDates, readSecurities, readYear } from './read-store.ts'

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
  return { folder, manifest, dates, securities, placeOf: new Map(securities.map(({ code }, place) => [code, place])) }
}

/** A bond whose share has a history. */
interface Bond {
  readonly place: number
  /** Of the share in its own store. */
  readonly share: number
  /** Row of its first listed day. */
  readonly first: number
  /** By number of the store that is read: the share's last value so far. */
  readonly last: Float64Array
  /** What the store says on the bond's first day. */
  seam: number
}

interface Ground {
  readonly manifest: Manifest
  readonly panel: Pick<Panel, 'dates' | 'stride' | 'listed'>
  readonly securities: readonly Security[]
}

/** Which numbers of the store make one of the bond's, and whether they are scaled to it. */
interface Source {
  readonly fields: readonly ManifestField[]
  readonly carry: boolean
  readonly ofTrades: boolean
  readonly per: number
  readonly isScaled: boolean
}

/** Fills the days from … to − 1 of a column of the bond market; those behind are loaded. */
export async function fillFromStocks(store: StockStore, ground: Ground, key: string, column: Float64Array, days: Days): Promise<void> {
  const source = sourceOf(store, ground.manifest, key)
  const bonds = source === null ? [] : bondsOf(store, ground, days.from, source.fields.length)
  if (source === null || bonds.length === 0) return
  const { dates, stride } = ground.panel
  const rowOf = new Map(dates.map((date, row) => [date, row]))
  const filled = new Uint8Array((days.to - days.from) * stride)
  const latest = bonds.reduce((most, { first }) => Math.max(most, first), 0)
  const years = await yearsFor(store, source, bonds, dates[days.from]!, dates[latest]!)
  for (const { year, columns, listed, traded } of years) {
    const cells = await columns()
    for (let t = 0; t < year.rows; t++) {
      const row = rowOf.get(store.dates[year.row + t]!) ?? -1
      for (const bond of bonds) {
        const at = t * store.manifest.stride + bond.share
        const value = listed?.[at] === 0 ? Number.NaN : told(bond, cells, at, traded[at] === 1, source)
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

/** The product of the numbers that are read: a suspended share keeps its price and has traded nothing, a factor stays on any day. */
function told(
  { last }: Bond,
  cells: readonly ArrayLike<number>[],
  at: number,
  hasTraded: boolean,
  { fields, carry, ofTrades, per }: Source,
): number {
  let product = 1 / per
  for (const [k, numbers] of cells.entries()) {
    const value = numbers[at]!
    const isFactor = fields[k]!.key === 'adj_factor'
    if (value === value || (hasTraded && !isFactor && !ofTrades)) last[k] = value
    product *= value === value || carry ? last[k]! : ofTrades && !hasTraded && last[k] === last[k] ? 0 : Number.NaN
  }
  return product
}

function sourceOf({ manifest: stocks }: StockStore, bonds: Manifest, key: string): Source | null {
  const field = bonds.kind === 'index' ? undefined : markets[bonds.kind].fields.find((each) => each.key === key)
  const name = field?.ofStock?.field
  if (field === undefined || name === undefined) return null
  const stored = (of: string) => stocks.fields.filter((each) => each.key === of)
  const factors = stocks.adjust === 'raw' ? stored('adj_factor') : []
  const hasOwnFactor = bonds.fields.some((each) => each.key === 'adj_factor_stk')
  const areAsTraded = stocks.adjust === 'raw' && (factors.length === 0 || hasOwnFactor)
  const of = (fields: readonly ManifestField[], isScaled: boolean): Source => {
    return { fields, carry: field.carry, ofTrades: field.ofTrades === true, per: field.ofStock?.per ?? 1, isScaled }
  }
  // Without a factor, or with adjusted prices, it is the same on all days: that of the bond's first day.
  if (name === 'adj_factor') return of(factors, true)
  if (stored(name).length === 0) return null
  if (name === 'close' && !areAsTraded) return of([...stored(name), ...factors], true)
  if (name === 'pre_close' && !areAsTraded) return null
  return of(stored(name), false)
}

/** Those that were not listed on the row yet, and whose shares are in the store. */
function bondsOf({ placeOf }: StockStore, { panel, securities }: Ground, from: number, numbers: number): Bond[] {
  const { dates, stride, listed } = panel
  return securities.flatMap(({ stockCode }, place): Bond[] => {
    const share = placeOf.get(stockCode ?? '')
    if (share === undefined || listed[from * stride + place] === 1) return []
    let first = from + 1
    while (first < dates.length && listed[first * stride + place] === 0) first++
    return first === dates.length ? [] : [{ place, share, first, last: new Float64Array(numbers).fill(Number.NaN), seam: Number.NaN }]
  })
}

interface YearPart {
  readonly year: ManifestYear
  readonly columns: () => Promise<readonly ArrayLike<number>[]>
  readonly traded: Uint8Array
  /** Older snapshots have numbers of days on which the share was not listed. */
  readonly listed: Uint8Array | null
}

/** The years with the days between two dates, and those before them that a share suspended on the first day has its last price from. */
async function yearsFor(
  { folder, manifest, dates, securities }: StockStore,
  { fields, carry, ofTrades }: Source,
  bonds: readonly Bond[],
  from: string,
  to: string,
): Promise<YearPart[]> {
  const partOf = async (year: ManifestYear): Promise<YearPart> => ({
    year,
    columns: () => Promise.all(fields.map((field) => readYear(folder, manifest, field, year))),
    traded: await readBytes(folder, manifest, columnFile('traded', year, 'u8')),
    listed: manifest.listed_only ? null : await readBytes(folder, manifest, columnFile('listed', year, 'u8')),
  })
  const wanted = manifest.years.filter(({ year }) => year >= from.slice(0, 4) && year <= to.slice(0, 4))
  const parts = await Promise.all(wanted.map(partOf))
  let waiting = carry || ofTrades ? bonds.filter(({ share }) => (securities[share]!.listed ?? '') < from) : []
  const earlier = manifest.years.filter(({ year }) => year <= from.slice(0, 4)).reverse()
  for (const year of earlier) {
    const part = parts.find((each) => each.year === year) ?? (await partOf(year))
    if (waiting.length === 0) break
    if (!parts.includes(part)) parts.unshift(part)
    const cells = await part.columns()
    const isKnown = ({ share }: Bond) => {
      for (let t = 0; t < year.rows && dates[year.row + t]! <= from; t++) {
        const at = t * manifest.stride + share
        if (cells.every((numbers) => numbers[at] === numbers[at]) && part.listed?.[at] !== 0) return true
      }
      return false
    }
    waiting = waiting.filter((bond) => !isKnown(bond))
  }
  return parts
}
