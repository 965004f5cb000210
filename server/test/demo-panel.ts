import type { MarketId } from '@convexa/contract'
import { carryForward, carryThrough, doublesOf, fillUntraded, markets, type Panel } from '@convexa/engine'
import { demoTables, simulateDemo } from '../src/market/demo.ts'

/** A small demo market in memory, as it would be loaded from its snapshot. */
export function demoPanel(kind: MarketId, through: string): Panel {
  const { dates, stocks, bonds } = simulateDemo({ size: 'small', through })
  const tables = demoTables(dates, stocks, bonds)
  const index = tables.find((table) => table.kind === 'index')!
  const { securities, stride, columns, listed, traded, benchmarks, reports } = tables.find((table) => table.kind === kind)!
  const cells = new Map([...columns].map(([key, column]) => [key, doublesOf(column.cells)]))
  for (const { key, carry, stays, ofTrades } of markets[kind].fields) {
    const column = cells.get(key)
    const masks = { listed, traded, stride }
    if (column && carry) (stays ? carryThrough : carryForward)(column, masks, 0, dates.length)
    if (column && ofTrades) fillUntraded(column, masks, 0, dates.length)
  }
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
