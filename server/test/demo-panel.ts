import type { Kind } from '@convexa/contract'
import { carryForward, markets, type Panel } from '@convexa/engine'
import { demoTables, simulateDemo } from '../src/market/demo.ts'

/** A small demo market in memory, as it would be loaded from its snapshot. */
export function demoPanel(kind: Kind, through: string): Panel {
  const { dates, stocks, bonds } = simulateDemo({ size: 'small', through })
  const tables = demoTables(dates, stocks, bonds)
  const index = tables.find((table) => table.kind === 'index')!
  const { securities, stride, columns, listed, traded, benchmarks, reports } = tables.find((table) => table.kind === kind)!
  const carried = new Set(markets[kind].fields.filter((field) => field.carry).map(({ key }) => key))
  const cells = new Map([...columns].map(([key, column]) => [key, Float64Array.from(column.cells)]))
  for (const [key, column] of cells) if (carried.has(key)) carryForward(column, listed, dates.length, stride)
  const closes = index.columns.get('close')!.cells
  const indices = index.securities.map(({ code }, i) => [code, Float64Array.from(dates, (_, t) => closes[t * index.stride + i]!)] as const)
  return {
    kind,
    dates,
    securities,
    stride,
    columns: cells,
    listed,
    traded,
    benchmarks: new Map([...benchmarks, ...indices]),
    ...(reports && { reports }),
    dataMode: 'demo',
    dataVersion: 'demo',
  }
}
