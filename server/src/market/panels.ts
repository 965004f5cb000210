import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { callState, callStatus, idleCells, markets, type Panel, redeemCounts, type Security, type TradingRules } from '@convexa/engine'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import { type CellFilling, cellFilling, type FillDeps } from './cell-filling.ts'
import { nextExpectedDay } from './expected-days.ts'
import { placesOf } from './hold.ts'
import { type Days, isCountedAnew, type Manifest, type ManifestField, readManifest } from './manifest.ts'
import {
  parseSecurities,
  readBenchmark,
  readColumn,
  readDates,
  readDays,
  readMask,
  readMissingBars,
  readReports,
  readSecurities,
  readSecuritiesText,
  readYear,
  roomFor,
} from './read-store.ts'
import { fillFromStocks, openStockStore, type StockStore } from './stock-history.ts'

/** A market without its columns and statements: what every panel of it has. Its securities are as they are stored (`parseSecurities`). */
export interface MarketBase {
  readonly manifest: Manifest
  readonly panel: Omit<Panel, 'columns' | 'reports' | 'securities'>
  readonly securities: Uint8Array
  /** Cells of securities that are listed and do not trade, ascending; computed once, for the first column that needs them. */
  readonly idle: () => Int32Array
  /** Where numbers of underlying shares come from on days before their bonds were listed; null where no shares are loaded. */
  readonly stocks: (() => Promise<Underlying>) | null
}

/** The stock market's store, and the bonds whose shares are looked up in it. */
interface Underlying {
  readonly store: StockStore
  readonly securities: readonly Security[]
}

/**
 * Loads a market's snapshot: the asked columns in shared memory (post the Panel to threads, nothing is copied), checksums verified,
 * absent outside listing windows (numbers of the underlying share aside),
 * price-like fields carried forward and trades 0 on days without one inside listing windows (an absent cell of a trading day stays absent), and the market's benchmarks: its own series
 * and those of the index snapshot at the market's days, NaN where an index has no value that day. With a snapshot of shares, numbers of a
 * bond's share on the days before the bond was listed (`stock-history.ts`).
 * Of the published statements just the items asked for.
 * A field that the snapshot lacks is left out of `columns`; a file that is missing or changed throws BrokenSnapshot.
 */
export async function loadPanel(
  snapshotPath: string,
  indexSnapshotPath: string | null,
  fields: Iterable<string> | 'all',
  stockSnapshotPath: string | null = null,
): Promise<Panel> {
  const base = await loadBase(snapshotPath, indexSnapshotPath, { stocks: stockSnapshotPath })
  const { manifest, panel } = base
  const wanted = fields === 'all' ? null : new Set(fields)
  const columns = await Promise.all(
    manifest.fields
      .filter((field) => wanted === null || wanted.has(field.key))
      .map(async (field): Promise<[string, Float64Array]> => {
        const column = roomFor(manifest)
        await loadDays(snapshotPath, base, field, column, { from: 0, to: manifest.rows })
        return [field.key, column]
      }),
  )
  const reports = await readReports(snapshotPath, manifest, (item) => wanted === null || wanted.has(item))
  return { ...panel, securities: parseSecurities(base.securities), columns: new Map(columns), ...(reports && { reports }) }
}

/** `spare`: days behind the last for which masks and series have room; `stocks`: folder of the shares' snapshot. */
export async function loadBase(
  snapshotPath: string,
  indexSnapshotPath: string | null,
  {
    spare = 0,
    stocks = null,
    rules,
  }: { readonly spare?: number; readonly stocks?: string | null; readonly rules?: TradingRules | undefined } = {},
): Promise<MarketBase> {
  const manifest = await readManifest(snapshotPath)
  const { kind, stride } = manifest
  if (kind === 'index') throw new BrokenSnapshot('not a market', snapshotPath)
  const [dates, securities, listed, traded, missingBars] = await Promise.all([
    readDates(snapshotPath, manifest),
    readSecuritiesText(snapshotPath, manifest),
    readMask(snapshotPath, manifest, 'listed', spare),
    readMask(snapshotPath, manifest, 'traded', spare),
    readMissingBars(snapshotPath, manifest),
  ])
  const benchmarks = await benchmarksOf(snapshotPath, manifest, dates, indexSnapshotPath, spare)
  const about = { dataMode: manifest.data_mode, dataVersion: manifest.data_version, adjust: manifest.adjust }
  const last = dates.at(-1)
  const nextDay = last === undefined ? null : nextExpectedDay(last)
  const lists = manifest.call_lists && { callLists: manifest.call_lists }
  const panel = {
    kind,
    dates,
    nextDay,
    later: daysAfter(last),
    stride,
    listed,
    traded,
    benchmarks,
    ...lists,
    ...(missingBars && { missingBars }),
    ...(rules && { rules }),
    ...about,
  }
  const idle = once(() => idleCells(panel, 0, manifest.rows))
  return { manifest, securities, panel, idle, stocks: stocks === null ? null : underlyingOf(stocks, securities) }
}

/** Trading days ahead that a payment of a bond and a last day that is known lie within. */
const daysAhead = 40

function daysAfter(last: string | undefined): string[] {
  const days: string[] = []
  for (let day = last; day !== undefined && days.length < daysAhead; days.push(day)) day = nextExpectedDay(day)
  return days
}

/** Opened once, for the first field that needs it. */
function underlyingOf(folder: string, securities: Uint8Array): () => Promise<Underlying> {
  let opened: Promise<Underlying> | null = null
  return () => {
    opened ??= openStockStore(folder).then((store) => ({ store, securities: parseSecurities(securities) }))
    opened.catch(() => {
      opened = null
    })
    return opened
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** What a column is loaded with. */
interface Loading extends Pick<MarketBase, 'manifest' | 'stocks' | 'securities'> {
  readonly idle?: MarketBase['idle'] | undefined
  readonly panel: Pick<Panel, 'kind' | 'dates' | 'listed' | 'traded' | 'stride'>
}

/** Some days of a field into its column; those behind them are in it. They are what they are when all days are loaded: what is carried comes from before them. */
export async function loadDays(
  folder: string,
  { manifest, panel, stocks, securities, idle }: Loading,
  field: ManifestField,
  column: Float64Array,
  days: Days,
): Promise<void> {
  const { kind, stride } = panel
  if (field.key === 'call_status' && isCountedAnew(manifest)) {
    const states = await statesAnew(folder, { manifest, panel, stocks, securities, idle })
    const [from, to] = [days.from * stride, days.to * stride]
    if (callStatus(states?.subarray(from, to) ?? null, column.subarray(from, to))) return
  }
  if (field.holds !== undefined && days.from > 0) {
    // Values given on days of change may come from any earlier day; such columns are few.
    const whole = roomFor(manifest)
    await loadDays(folder, { manifest, panel, stocks, securities, idle }, field, whole, { from: 0, to: days.to })
    column.set(whole.subarray(days.from * stride, days.to * stride), days.from * stride)
    return
  }
  const filling = cellFilling(manifest, field)
  const deps = groundOf(panel, idle)
  // What the first row carries is not known yet; those after it carry what they can.
  await readDays(folder, manifest, field, column, days, (part) => filling.fill(column, deps, part, days.from + 1))
  const { ofStock } = markets[kind].fields.find(({ key }) => key === field.key) ?? {}
  if (ofStock?.field !== undefined && stocks) {
    const { store, securities: known } = await stocks()
    await fillFromStocks(store, { manifest, panel, securities: known }, field.key, column, days)
  }
  if (filling.isCarried && days.from > 0) {
    const found = await carriedFrom(folder, { manifest, panel }, field, column, { row: days.from, filling })
    if (found > 0) filling.carry(column, deps, { from: days.from + 1, to: days.to })
  }
  filling.end(column, stride, days)
}

// All days are counted for the newest of them, and a snapshot does not change.
const countedAnew = new WeakMap<Manifest, Promise<Float64Array | null>>()

/** Call states of a snapshot of an older importer, whose "met" was counted by other rules (`bond/counters.ts`). */
function statesAnew(folder: string, loading: Loading): Promise<Float64Array | null> {
  const known = countedAnew.get(loading.manifest)
  if (known) return known
  const made = countStates(folder, loading)
  countedAnew.set(loading.manifest, made)
  made.catch(() => countedAnew.delete(loading.manifest))
  return made
}

/** What was announced stays as it is stored; null where nothing can be counted. */
async function countStates(folder: string, { manifest, panel, securities, idle }: Loading): Promise<Float64Array | null> {
  const fields = manifest.fields.filter(({ key }) => ofStates.has(key))
  const deps = groundOf(panel, idle)
  const columns = await Promise.all(
    fields.map(async (field): Promise<[string, Float64Array]> => {
      const column = roomFor(manifest)
      const filling = cellFilling(manifest, field)
      await readDays(folder, manifest, field, column, { from: 0, to: manifest.rows }, (part) => filling.fill(column, deps, part, 1))
      return [field.key, column]
    }),
  )
  const counted = {
    ...panel,
    securities: parseSecurities(securities),
    columns: new Map(columns),
    ...(manifest.call_lists && { callLists: manifest.call_lists }),
  }
  return callState(counted, redeemCounts(counted))
}
const ofStates: ReadonlySet<string> = new Set(['close_stk', 'conv_price', 'vol_stk', 'call_status'])

function groundOf({ listed, traded, stride, dates }: Omit<FillDeps, 'places' | 'idle'>, idle: Loading['idle']): FillDeps {
  return { listed, traded, stride, dates, idle, places: once(() => placesOf(dates)) }
}

/** Fills the gaps of a row with the values that are carried to it, which are looked up in the files of the days before it. How many were found. */
async function carriedFrom(
  folder: string,
  { manifest, panel: { listed, traded } }: Pick<Loading, 'manifest' | 'panel'>,
  field: ManifestField,
  column: Float64Array,
  { row, filling: { stays } }: { readonly row: number; readonly filling: CellFilling },
): Promise<number> {
  const { stride, years } = manifest
  let found = 0
  let open: number[] = []
  for (let i = 0; i < stride; i++) {
    const at = row * stride + i
    if (column[at] !== column[at] && listed[at] === 1 && (stays || traded[at] === 0)) open.push(i)
  }
  for (const year of years.filter((each) => each.row < row).reverse()) {
    // Security by security: there are few of them.
    const last = Math.min(row, year.row + year.rows) - 1
    open = open.filter((i) => listed[last * stride + i] === 1)
    if (open.length === 0) break
    const cells = await readYear(folder, manifest, field, year)
    open = open.filter((i) => {
      for (let t = last; t >= year.row; t--) {
        if (listed[t * stride + i] === 0) return false
        const value = cells[(t - year.row) * stride + i]!
        // What is absent on a trading day is not carried from before it.
        if (value !== value && !stays && traded[t * stride + i] === 1) return false
        if (value !== value) continue
        column[row * stride + i] = value
        found++
        return false
      }
      return true
    })
  }
  return found
}

async function benchmarksOf(
  folder: string,
  manifest: Manifest,
  dates: readonly string[],
  indexFolder: string | null,
  spare: number,
): Promise<Map<string, Float64Array>> {
  const benchmarks = new Map<string, Float64Array>()
  for (const code of manifest.benchmarks) benchmarks.set(code, await readBenchmark(folder, manifest, code, spare))
  if (indexFolder === null) return benchmarks
  const index = await readManifest(indexFolder)
  // Within a market never a mixture of demo and real numbers.
  if (isSynthetic(index.data_mode) !== isSynthetic(manifest.data_mode)) return benchmarks
  const close = index.fields.find((field) => field.key === 'close')
  if (close === undefined) return benchmarks
  const [cells, codes, indexDates] = await Promise.all([
    readColumn(indexFolder, index, close),
    readSecurities(indexFolder, index),
    readDates(indexFolder, index),
  ])
  const rowOf = new Map(indexDates.map((date, row) => [date, row]))
  codes.forEach(({ code }, i) => {
    const series = new Float64Array(new SharedArrayBuffer((dates.length + spare) * 8)).fill(Number.NaN)
    dates.forEach((date, t) => {
      const row = rowOf.get(date)
      series[t] = row === undefined ? Number.NaN : cells[row * index.stride + i]!
    })
    benchmarks.set(code, series)
  })
  return benchmarks
}
