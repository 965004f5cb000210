/** What is published before a day: a few rows of the columns that a new day is compared with and made from. */

import type { Security } from '@convexa/engine'
import { addDays, tradingDays } from '../../market/calendar.ts'
import { type Manifest, readManifest } from '../../market/manifest.ts'
import { marketOf } from '../../market/market-rules.ts'
import { loadBase, loadDays } from '../../market/panels.ts'
import { parseSecurities, readColumn, readDates, readMask, readSecurities, roomFor } from '../../market/read-store.ts'
import { type Snapshot, type SnapshotKind, snapshotPath } from '../../market/snapshot.ts'
import { valuationFields } from './valuations.ts'

/** Rows are days, `stride` cells each; price-like fields are carried over days without a trade. */
export interface Past {
  readonly kind: SnapshotKind
  /** The last trading days before the day, ascending; at most `looked`. */
  readonly dates: readonly string[]
  readonly securities: readonly Security[]
  readonly stride: number
  readonly columns: ReadonlyMap<string, Float64Array>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
  /** Of bonds: what the days of clauses are counted by, of all days. */
  readonly counted: Pick<Past, 'dates' | 'listed' | 'traded' | 'columns'> | null
  /** Days that lists of announcements of calls cover. */
  readonly callLists: NonNullable<Manifest['call_lists']>
  /** How often each security traded before these days, up to `seasoned`: a check lets newcomers move freely. */
  readonly earlier: Uint8Array
  /** What was put aside behind the last rows, and how factors that sources give become those that are stored, by code. */
  readonly aside: NonNullable<Manifest['aside']>
  readonly factorStates: NonNullable<Manifest['factors']>
  /** The market's own series on the last of the days. */
  readonly benchmarks: ReadonlyMap<string, number>
  /** Fields that the market has. */
  readonly fields: ReadonlySet<string>
  /** The day a security traded last before the day, by its place. */
  lastTraded(place: number): string | null
}

/** Days that are looked at. */
const looked = 4
const seasoned = 6
const wanted = new Set([
  'close',
  'pre_close',
  'vol',
  'amount',
  'adj_factor',
  'conv_price',
  'conv_value',
  'remain_size',
  'rating',
  'call_status',
  'pure_value',
  'close_stk',
  'vol_stk',
  'amount_stk',
  'adj_factor_stk',
  ...valuationFields,
])

export const countedFields = ['close_stk', 'conv_price', 'vol_stk'] as const

/** The rows of a snapshot before a day. */
export async function readPast(dataDir: string, snapshot: Snapshot, day: string): Promise<Past> {
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder, snapshot.manifestSha256)
  const base = snapshot.kind === 'index' ? await indexBase(folder, manifest) : await marketBase(folder)
  const { dates, listed, traded, stride } = base
  let to = dates.length
  while (to > 0 && dates[to - 1]! >= day) to--
  const from = Math.max(0, to - looked)
  const cut = <C extends Float64Array | Uint8Array>(cells: C, first = from) => cells.subarray(first * stride, to * stride) as C
  const columns = new Map<string, Float64Array>()
  for (const field of manifest.fields) {
    if (wanted.has(field.key) && from < to) columns.set(field.key, cut(await base.column(field.key, { from, to })))
  }
  const isCounted = marketOf(snapshot.kind)?.redeemed === true && to > 0
  const counted = new Map<string, Float64Array>()
  for (const key of countedFields) {
    if (isCounted && manifest.fields.some((field) => field.key === key)) counted.set(key, cut(await base.column(key, { from: 0, to }), 0))
  }
  return {
    kind: snapshot.kind,
    counted: isCounted ? { dates: dates.slice(0, to), listed: cut(listed, 0), traded: cut(traded, 0), columns: counted } : null,
    callLists: manifest.call_lists ?? [],
    dates: dates.slice(from, to),
    securities: base.securities,
    stride,
    columns,
    listed: cut(listed),
    traded: cut(traded),
    earlier: Uint8Array.from(base.securities, (_, place) => {
      let count = 0
      for (let t = from - 1; t >= 0 && count < seasoned; t--) count += traded[t * stride + place]!
      return count
    }),
    // What was found of the day itself is found anew.
    aside: Object.fromEntries(
      Object.entries(manifest.aside ?? {}).flatMap(([code, aside]) =>
        aside.since < day ? [[code, { ...aside, days: Math.min(aside.days, tradingDays(aside.since, addDays(day, -1)).length) }]] : [],
      ),
    ),
    factorStates: manifest.factors ?? {},
    benchmarks: new Map([...base.benchmarks].map(([code, series]) => [code, to === 0 ? Number.NaN : series[to - 1]!])),
    fields: new Set(manifest.fields.map(({ key }) => key)),
    lastTraded(place) {
      for (let t = to - 1; t >= 0; t--) if (traded[t * stride + place] === 1) return dates[t]!
      return null
    },
  }
}

/** A market that has no day yet. */
export const noPast = (kind: SnapshotKind): Past => ({
  kind,
  dates: [],
  securities: [],
  stride: 0,
  columns: new Map(),
  listed: new Uint8Array(),
  traded: new Uint8Array(),
  counted: null,
  callLists: [],
  earlier: new Uint8Array(),
  aside: {},
  factorStates: {},
  benchmarks: new Map(),
  fields: new Set(),
  lastTraded: () => null,
})

interface Base extends Pick<Past, 'securities' | 'stride' | 'listed' | 'traded'> {
  readonly dates: readonly string[]
  readonly benchmarks: ReadonlyMap<string, Float64Array>
  column(key: string, days: { from: number; to: number }): Promise<Float64Array>
}

async function marketBase(folder: string): Promise<Base> {
  const base = await loadBase(folder, null)
  return {
    ...base.panel,
    securities: parseSecurities(base.securities),
    async column(key, days) {
      const column = roomFor(base.manifest)
      await loadDays(folder, base, base.manifest.fields.find((field) => field.key === key)!, column, days)
      return column
    },
  }
}

async function indexBase(folder: string, manifest: Manifest): Promise<Base> {
  const [dates, securities, listed, traded] = await Promise.all([
    readDates(folder, manifest),
    readSecurities(folder, manifest),
    readMask(folder, manifest, 'listed'),
    readMask(folder, manifest, 'traded'),
  ])
  const column = (key: string) => readColumn(folder, manifest, manifest.fields.find((field) => field.key === key)!)
  return { dates, securities, stride: manifest.stride, listed, traded, benchmarks: new Map(), column }
}
