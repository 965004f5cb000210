/**
 * Which rows are days without a trade. A row says so by its flag, or by its volume or amount: 0, less than one share, or empty where
 * other rows of that day have one (BaoStock writes the volume of a suspended day so). Nobody can trade at the price that such a row
 * repeats, whatever a flag says; its prices of 0 are none.
 */
import { markets } from '@convexa/engine'
import type { SnapshotKind } from '../manifest.ts'
import type { Rows } from './rows.ts'

/** Below this there is none: pytdx writes 5.9e-39 for a volume of 0. In 万元, a cent. */
const leastAmount = 1e-6

/** @param flags what the file's own column says; NaN where its cell is empty, null without such a column */
export function settleTrades(kind: SnapshotKind, rows: Rows, flags: Float64Array | null): Rows {
  if (kind === 'index') return rows
  const [volume, amount] = ['vol', 'amount'].map((key) => rows.fields.get(key))
  if (volume) dropBelow(volume, 1 / markets[kind].volumeUnit)
  if (amount) dropBelow(amount, leastAmount)
  const hasTraded = new Uint8Array(rows.count)
  const isNone = new Uint8Array(rows.count)
  for (const column of [volume, amount]) if (column) markTrades(rows, column, hasTraded, isNone)
  const traded = new Uint8Array(rows.count).fill(1)
  let still = 0
  for (let row = 0; row < rows.count; row++) {
    if (flags?.[row] !== 0 && (hasTraded[row] === 1 || isNone[row] === 0)) continue
    traded[row] = 0
    still++
  }
  if (still > 0) {
    for (const key of ['open', 'high', 'low', 'close']) {
      const column = rows.fields.get(key)
      if (column) for (let row = 0; row < rows.count; row++) if (traded[row] === 0 && column[row] === 0) column[row] = Number.NaN
    }
  }
  return { ...rows, traded: flags === null && still === 0 ? null : traded }
}

function dropBelow(column: Float64Array, least: number): void {
  for (let row = 0; row < column.length; row++) if (column[row]! > 0 && column[row]! < least) column[row] = 0
}

/** Marks rows with a trade, and those that say that there was none: 0, or empty on a day of which other rows have a number. */
function markTrades({ count, date, dates }: Rows, column: Float64Array, hasTraded: Uint8Array, isNone: Uint8Array): void {
  const isFilled = new Uint8Array(dates.length)
  for (let row = 0; row < count; row++) if (date[row]! >= 0 && column[row] === column[row]) isFilled[date[row]!] = 1
  for (let row = 0; row < count; row++) {
    const value = column[row]!
    if (value > 0) hasTraded[row] = 1
    else if (value === 0 || (value !== value && isFilled[date[row]!] === 1)) isNone[row] = 1
  }
}
