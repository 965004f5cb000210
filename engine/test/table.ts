import type { MarketId } from '@convexa/contract'
import { dayNumber } from '../src/base/calendar.ts'
import { markets } from '../src/market/index.ts'
import { carryForward, equalWeight, fillUntraded, type Panel, type Security } from '../src/panel/panel.ts'
import { type Statement, statementHistoryOf } from '../src/panel/statements.ts'
import { security } from './security.ts'

interface Options {
  kind?: MarketId
  /** How prices are stated; as they were traded when not said. */
  adjust?: Panel['adjust']
  /** Field → text table. Cells without a number are absent. */
  fields?: Record<string, string>
  /** By code: what a security has besides its code. */
  securities?: Record<string, Partial<Security>>
  benchmarks?: Record<string, number[]>
  /** By code: lines of period, day of publication and items (`2024-12-31 2025-04-28 np_parent=80 revenue=900`). */
  reports?: Record<string, string>
}

/**
 * A panel written as a table, one row a day, one column a security, in the order of codes:
 *
 * ```
 *               AAA   BBB   CCC
 * 2024-01-02    100   110   .
 * 2024-01-03    101   -     120
 * ```
 *
 * A number is a close, `-` a day without a trade (the close before is carried, what sums up trades is 0), `.` a day outside the listing.
 */
export function table(close: string, options: Options = {}): Panel {
  const { codes, dates, cells } = parse(close)
  const stride = codes.length
  const size = dates.length * stride
  const listed = Uint8Array.from(cells, (cell) => (cell === '.' ? 0 : 1))
  const traded = Uint8Array.from(cells, (cell) => (cell === '.' || cell === '-' ? 0 : 1))
  const columns = new Map([['close', numbers(cells)]])
  for (const [key, text] of Object.entries(options.fields ?? {})) {
    const other = parse(text)
    if (other.cells.length !== size) throw new Error(`the table of ${key} has ${other.cells.length} cells, not ${size}`)
    columns.set(key, numbers(other.cells))
  }
  const prices = columns.get('close') as Float64Array
  carryForward(prices, { listed, traded, stride }, 0, dates.length)
  const kind = options.kind ?? 'cb'
  for (const { key, ofTrades } of markets[kind].fields) {
    const column = ofTrades && columns.get(key)
    if (column) fillUntraded(column, { listed, traded, stride }, 0, dates.length)
  }
  return {
    kind,
    dates,
    securities: codes.map((code) => security({ code, name: code, ...options.securities?.[code] })),
    stride,
    columns,
    listed,
    traded,
    benchmarks: new Map([
      [`${kind}_ew`, equalWeight(prices, traded, listed, dates.length, stride)],
      ...Object.entries(options.benchmarks ?? {}).map(([code, values]) => [code, Float64Array.from(values)] as const),
    ]),
    ...(options.reports && {
      reports: statementHistoryOf(
        codes.map((code) => statements(options.reports?.[code] ?? '')),
        dayNumber,
      ),
    }),
    adjust: options.adjust ?? 'raw',
    dataMode: 'demo',
    dataVersion: 'table',
  }
}

function statements(text: string): Statement[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words.length > 1)
    .map(([period, published, ...items]) => ({
      period,
      published,
      items: Object.fromEntries(items.map((item) => [item.split('=')[0], Number(item.split('=')[1])])),
    }))
}

function parse(text: string): { codes: string[]; dates: string[]; cells: string[] } {
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const codes = head as string[]
  for (const row of rows)
    if (row.length !== codes.length + 1) throw new Error(`a row of ${row.length} cells under ${codes.length} codes: ${row.join(' ')}`)
  return { codes, dates: rows.map((row) => row[0]), cells: rows.flatMap((row) => row.slice(1)) }
}

function numbers(cells: readonly string[]): Float64Array {
  return Float64Array.from(cells, (cell) => (cell === '.' || cell === '-' ? Number.NaN : Number(cell)))
}
