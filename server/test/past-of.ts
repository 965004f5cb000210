import { carryForward, carryThrough, doublesOf, markets } from '@convexa/engine'
import type { Past } from '../src/feeds/ingest/past.ts'
import type { MarketTable } from '../src/market/store.ts'

/** Of a table once: its columns with prices carried, and the first day of each security. */
const known = new WeakMap<MarketTable, { columns: Map<string, Float64Array>; firsts: Int32Array }>()
function carriedOf(table: MarketTable) {
  const before = known.get(table)
  if (before) return before
  const { kind, stride, dates, listed } = table
  const fields = new Map(kind === 'index' ? [] : markets[kind].fields.map((field) => [field.key, field]))
  const columns = new Map<string, Float64Array>()
  for (const [key, { cells }] of table.columns) {
    const column = doublesOf(cells)
    const { carry = false, stays } = fields.get(key) ?? {}
    if (carry) (stays ? carryThrough : carryForward)(column, table, 0, dates.length)
    columns.set(key, column)
  }
  const firsts = Int32Array.from(table.securities, (_, i) => {
    let t = 0
    while (t < dates.length && listed[t * stride + i] === 0) t++
    return t
  })
  const made = { columns, firsts }
  known.set(table, made)
  return made
}

/** What would be published before row `t` of a table, as a new day meets it; securities that are not listed yet are left out. */
export function pastOf(table: MarketTable, t: number, most = 4): Past {
  const { kind, stride } = table
  const { columns: all, firsts } = carriedOf(table)
  const from = Math.max(0, t - most)
  const begin = 0
  const seen = table.securities.flatMap((_, i) => (firsts[i]! < t ? [i] : []))
  const cut = <C extends Float64Array | Uint8Array>(out: C, cells: ArrayLike<number>, first = from): C => {
    for (let row = first; row < t; row++) {
      for (const [k, i] of seen.entries()) out[(row - first) * seen.length + k] = cells[row * stride + i]!
    }
    return out
  }
  const size = (t - from) * seen.length
  const columns = new Map<string, Float64Array>()
  for (const [key, cells] of all) columns.set(key, cut(new Float64Array(size), cells))
  const long = (t - begin) * seen.length
  const prices = [...all].flatMap(([key, cells]): [string, Float64Array][] =>
    ['close_stk', 'conv_price', 'vol_stk'].includes(key) ? [[key, cut(new Float64Array(long), cells, begin)]] : [],
  )
  const day = table.dates[t]!
  return {
    kind,
    dates: table.dates.slice(from, t),
    // What lies ahead is not known.
    securities: seen.map((i) => {
      const security = table.securities[i]!
      const isOver = security.delisted !== null && security.delisted < day
      return isOver ? security : { ...security, delisted: null, lastDay: null, lastDayKnown: null }
    }),
    stride: seen.length,
    columns,
    listed: cut(new Uint8Array(size), table.listed),
    traded: cut(new Uint8Array(size), table.traded),
    counted:
      kind === 'cb'
        ? {
            dates: table.dates.slice(begin, t),
            listed: cut(new Uint8Array(long), table.listed, begin),
            traded: cut(new Uint8Array(long), table.traded, begin),
            columns: new Map(prices),
          }
        : null,
    callLists: [],
    earlier: Uint8Array.from(seen, (i) => {
      let count = 0
      for (let row = from - 1; row >= 0 && count < 6; row--) count += table.traded[row * stride + i]!
      return count
    }),
    aside: {},
    factorStates: {},
    benchmarks: new Map([...table.benchmarks].map(([code, series]) => [code, series[t - 1]!])),
    fields: new Set(table.columns.keys()),
    lastTraded(place) {
      for (let row = t - 1; row >= 0; row--) if (table.traded[row * stride + seen[place]!] === 1) return table.dates[row]!
      return null
    },
  }
}
