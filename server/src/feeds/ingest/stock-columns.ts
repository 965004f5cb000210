/** What a stock's day needs besides what its source gave. */
import type { DayTable } from '../rows.ts'
import type { Entry } from './members.ts'

/** 亿股. */
const shares = 1e8
/** ST, *ST and S*ST, as the exchange puts them before a name. */
export const isSpecial = (name: string): boolean => /^S?\*?ST/i.test(name)

/** @param entries null: no list was to be had; then nobody knows who is ST */
export function stockColumns(table: DayTable, entries: ReadonlyMap<string, Entry> | null): Map<string, Float64Array> {
  const columns = new Map(table.columns)
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
  if (entries) {
    make('is_st', (i) => {
      const name = entries.get(table.codes[i]!)?.name
      return name === undefined ? Number.NaN : Number(isSpecial(name))
    })
  }
  return columns
}
