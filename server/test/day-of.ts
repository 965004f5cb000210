import type { NewDay } from '../src/market/append-day.ts'
import type { MarketTable } from '../src/market/store.ts'

/** The days of a table before its row `t`. */
export function tableBefore(table: MarketTable, t: number): MarketTable {
  const cut = <T extends { subarray(from: number, to: number): T }>(cells: T): T => cells.subarray(0, t * table.stride)
  return {
    ...table,
    dates: table.dates.slice(0, t),
    columns: new Map([...table.columns].map(([key, column]) => [key, { ...column, cells: cut(column.cells as Float64Array) }])),
    listed: cut(table.listed),
    traded: cut(table.traded),
    benchmarks: new Map([...table.benchmarks].map(([code, series]) => [code, series.subarray(0, t)])),
  }
}

/** Row `t` of a table as a day to append. */
export function dayOf(table: MarketTable, t: number): NewDay {
  const row = <T extends { subarray(from: number, to: number): T }>(cells: T): T =>
    cells.subarray(t * table.stride, t * table.stride + table.securities.length)
  return {
    date: table.dates[t]!,
    securities: table.securities,
    columns: new Map([...table.columns].map(([key, { cells }]) => [key, row(cells as Float64Array)])),
    listed: row(table.listed),
    traded: row(table.traded),
    benchmarks: new Map([...table.benchmarks].map(([code, series]) => [code, series[t]!])),
  }
}
