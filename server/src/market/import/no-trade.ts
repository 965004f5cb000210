/**
 * Which rows are days without a trade. A row says so by its flag, or by its volume or amount: 0, less than one share, or empty where
 * other rows of that day have one (BaoStock writes the volume of a suspended day so). Nobody can trade at the price that such a row
 * repeats, whatever a flag says; its prices of 0 are none. Nor has a row a trade that says all of the row before it once more.
 */
import { markets } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import type { SnapshotKind } from '../manifest.ts'
import { byCodeAndDay } from './row-order.ts'
import type { Rows } from './rows.ts'

/** Below this there is none: pytdx writes 5.9e-39 for a volume of 0. In 万元, a cent. */
const leastAmount = 1e-6

/** @param flags what the file's own column says; NaN where its cell is empty, null without such a column */
export function settleTrades(kind: SnapshotKind, rows: Rows, flags: Float64Array | null): Rows {
  if (kind === 'index') return rows
  const [volume, amount] = ['vol', 'amount'].map((key) => rows.fields.get(key))
  if (volume) dropBelow(volume, 1 / markets[kind].volumeUnit)
  if (amount) dropBelow(amount, leastAmount)
  const repeated = repeatedRows(rows)
  stand(rows, repeated)
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
  const findings = repeated.length > 0 ? [...rows.findings, repeatedFinding(rows, repeated)] : rows.findings
  return { ...rows, findings, traded: flags === null && still === 0 ? null : traded }
}

/** The same of rows of a file behind the stored ones that they join: the first of a security may say its last stored one once more. */
export function settleSeam(rows: Rows, from: number): Finding[] {
  const repeated = repeatedRows(rows).filter((row) => row >= from)
  stand(rows, repeated)
  for (const row of repeated) if (rows.traded) rows.traded[row] = 0
  return repeated.length > 0 ? [repeatedFinding(rows, repeated)] : []
}

function stand({ fields }: Rows, repeated: readonly number[]): void {
  const [vol, amount, before] = ['vol', 'amount', 'pre_close'].map((key) => fields.get(key))
  for (const row of repeated) {
    for (const column of [vol, amount]) column![row] = 0
    // That of the day before, as all of it.
    if (before) before[row] = Number.NaN
  }
}

/** Of 2.4 million rows of four providers none has it by chance above this; of bonds with a hand or two a day some may. In 万元. */
export const leastRepeated = 10

/**
 * Rows with the prices, the volume and the amount of the row before of the same security: Tushare's oldest days have such a row for
 * suspended securities. Where most of a day are so, the day is in doubt and not its rows (`day-checks.ts`).
 */
function repeatedRows(rows: Rows): number[] {
  const { code, date, dates, fields } = rows
  const [close, vol, amount] = ['close', 'vol', 'amount'].map((key) => fields.get(key))
  if (!close || !vol || !amount) return []
  const all = ['open', 'high', 'low'].flatMap((key) => fields.get(key) ?? []).concat(close, vol, amount)
  const order = byCodeAndDay(rows)
  const found: number[] = []
  for (let k = 1; k < order.length; k++) {
    const [a, b] = [order[k - 1]!, order[k]!]
    if (code[a] !== code[b] || date[a] === date[b] || !(amount[b]! >= leastRepeated)) continue
    if (all.every((column) => Object.is(column[a], column[b]))) found.push(b)
  }
  if (found.length === 0) return found
  const [traded, same] = [new Uint32Array(dates.length), new Uint32Array(dates.length)]
  for (const row of order) if (amount[row]! > 0) traded[date[row]!]!++
  for (const row of found) same[date[row]!]!++
  return found.filter((row) => same[date[row]!]! * 2 < traded[date[row]!]!)
}

const repeatedFinding = ({ labelOf }: Rows, found: readonly number[]): Finding => ({
  check: 'repeated_rows',
  level: 'warning',
  count: found.length,
  text: '价格、成交量和成交额与该证券前一行完全相同，按停牌处理',
  examples: found.slice(0, 5).map(labelOf),
})

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
