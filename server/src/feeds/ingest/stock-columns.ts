/** What a stock's day needs besides what its source gave. */

import type { Named } from '../../db/tables/fact-value.ts'
import type { DayTable } from '../rows.ts'
import type { Entry } from './entries.ts'
import { lastCells } from './factors.ts'
import { isSpecial, nameOn } from './names.ts'
import type { Past } from './past.ts'
import { withValuations } from './valuations.ts'

/** 亿股. */
const shares = 1e8
/**
 * @param entries null: no list was to be had; then only names say who is ST
 * @param names null: the market has the days of ST with its securities
 */
export function stockColumns(
  past: Past,
  table: DayTable,
  entries: ReadonlyMap<string, Entry> | null,
  names: ReadonlyMap<string, readonly Named[]> | null,
): Map<string, Float64Array> {
  const before = lastCells(past)
  const of = (key: string, row: number) => before(key, table.codes[row]!)
  const now = (key: string, row: number) => table.columns.get(key)?.[row] ?? Number.NaN
  // Without factors prices are adjusted already.
  const adjusted = (cell: typeof now, row: number) => cell('close', row) * (past.fields.has('adj_factor') ? cell('adj_factor', row) : 1)
  const columns = withValuations(past, table, { before: of, ratio: (row) => adjusted(now, row) / adjusted(of, row) })
  const [vol, floating, close, total] = ['vol', 'float_share', 'close', 'total_share'].map((key) => columns.get(key))
  const make = (key: string, of: (i: number) => number) => {
    if (!columns.has(key))
      columns.set(
        key,
        Float64Array.from(table.codes, (_, i) => of(i)),
      )
  }
  if (vol && floating) make('turnover', (i) => vol[i]! / (floating[i]! * shares))
  if (close && total) make('total_mv', (i) => close[i]! * total[i]!)
  if (close && floating) make('circ_mv', (i) => close[i]! * floating[i]!)
  if (names && (entries || names.size > 0)) {
    make('is_st', (i) => {
      const code = table.codes[i]!
      // A list says what it is called now.
      const name = nameOn(names.get(code), table.date) ?? entries?.get(code)?.name
      return name === undefined ? Number.NaN : Number(isSpecial(name))
    })
  }
  return columns
}
