import { markets } from '@convexa/contract/enums/market'
import { carryForward, carryThrough, equalWeight, equalWeightChange } from '@convexa/engine'
import type { SnapshotKind } from './manifest.ts'
import type { MarketTable } from './store.ts'

/** A market's own equal-weight series (`cb_ew`, `stk_ew`) over closes that are adjusted by `adj_factor` where the data have it. */
export function ownBenchmarks(table: Omit<MarketTable, 'benchmarks'>): Map<string, Float64Array> {
  const code = table.kind === 'index' ? undefined : markets[table.kind].equalWeightBenchmark
  const close = table.columns.get('close')
  if (code === undefined || close === undefined) return new Map()
  const { dates, stride, listed, traded } = table
  const prices = Float64Array.from(close.cells)
  carryForward(prices, table, 0, dates.length)
  const factor = table.columns.get('adj_factor')
  if (factor !== undefined) {
    const factors = Float64Array.from(factor.cells)
    carryThrough(factors, table, 0, dates.length)
    for (let at = 0; at < prices.length; at++) prices[at]! *= factors[at]!
  }
  return new Map([[code, equalWeight(prices, traded, listed, dates.length, stride)]])
}

/** The same series on the last of two days, from its value on the first; `close` and `factor` are carried, two rows of `stride`. */
export function benchmarkAfter(
  kind: SnapshotKind,
  before: ReadonlyMap<string, number>,
  {
    close,
    factor,
    listed,
    traded,
    stride,
  }: { close: Float64Array; factor: Float64Array | null; listed: Uint8Array; traded: Uint8Array; stride: number },
): Map<string, number> {
  if (kind === 'index') return new Map()
  const code = markets[kind].equalWeightBenchmark
  const prices = factor ? close.map((price, at) => price * factor[at]!) : close
  return new Map([[code, (before.get(code) ?? Number.NaN) * (1 + equalWeightChange(prices, traded, listed, 1, stride))]])
}
