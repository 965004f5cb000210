import { carryForward, equalWeight } from '@convexa/engine'
import type { MarketTable, SnapshotKind } from './store.ts'

/** A market's own equal-weight series (`cb_ew`, `stk_ew`) over closes that are adjusted by `adj_factor` where the data have it. */
export function ownBenchmarks(table: Omit<MarketTable, 'benchmarks'>): Map<string, Float64Array> {
  const code = codes[table.kind]
  const close = table.columns.get('close')
  if (code === undefined || close === undefined) return new Map()
  const { dates, stride, listed, traded } = table
  const prices = Float64Array.from(close.cells)
  carryForward(prices, listed, dates.length, stride)
  const factor = table.columns.get('adj_factor')
  if (factor !== undefined) {
    const factors = Float64Array.from(factor.cells)
    carryForward(factors, listed, dates.length, stride)
    for (let at = 0; at < prices.length; at++) prices[at]! *= factors[at]!
  }
  return new Map([[code, equalWeight(prices, traded, listed, dates.length, stride)]])
}

const codes: Partial<Record<SnapshotKind, string>> = { cb: 'cb_ew', stk: 'stk_ew' }
