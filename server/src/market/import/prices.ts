/** What becomes of a file's prices before its rows are judged: which of their columns are used, and which follow from others. */
import { markets } from '@convexa/engine'
import type { SnapshotKind } from '../manifest.ts'
import { aCent, factorColumns, isFactorMoved } from './factors.ts'
import { type Mapping, readingOf } from './mapping.ts'
import type { Stored } from './onto.ts'
import type { Rows } from './rows.ts'

export interface Priced {
  readonly rows: Rows
  /** The file has no factors: they follow from its previous closes. */
  readonly isDerived: boolean
  /** Sentences for the report. */
  readonly notes: readonly string[]
}

/** @param stored the market that the file goes onto: what is so there stays so */
export function preparePrices(kind: SnapshotKind, read: Rows, { adjust }: Pick<Mapping, 'adjust'>, stored: Stored | null): Priced {
  const names = factorColumns(kind)
  const notes: string[] = []
  let rows = read
  if (names === null || adjust !== 'raw') return { rows, isDerived: false, notes }
  if (stored ? lacks(stored, names.previous) : isCloseBefore(rows, names)) {
    if (!stored) notes.push('文件的前收盘价在除权除息日等于上一日的收盘价，不是交易所公布的前收盘价，未使用。')
    rows = withoutField(rows, names.previous)
  }
  const hasBoth = rows.fields.has(names.close) && rows.fields.has(names.previous)
  const isDerived = !rows.fields.has(names.factor) && hasBoth && !(stored && lacks(stored, names.factor))
  if (!isDerived) return { rows, isDerived, notes }
  if (!stored) notes.push('文件没有复权因子，已按前收盘价推算。')
  return { rows: withFactors(kind, rows, new Float64Array(rows.count).fill(Number.NaN)), isDerived, notes }
}

const lacks = ({ columns }: Stored, key: string): boolean => !columns.has(key)

/** The rows with other adjustment factors; where there are none, as they are. */
export function withFactors(kind: SnapshotKind, rows: Rows, factors: Float64Array | null): Rows {
  const key = factorColumns(kind)?.factor
  if (factors === null || key === undefined || kind === 'index') return rows
  const field = markets[kind].fields.find((each) => each.key === key)!
  const hasReading = rows.readings.some((reading) => reading.field.key === key)
  return {
    ...rows,
    fields: new Map(rows.fields).set(key, factors),
    readings: hasReading ? rows.readings : [...rows.readings, readingOf(field, key)],
  }
}

function withoutField(rows: Rows, key: string): Rows {
  const fields = new Map(rows.fields)
  fields.delete(key)
  return { ...rows, fields, readings: rows.readings.filter(({ field }) => field.key !== key) }
}

/** Days on which the factor moves that tell what a column of previous closes is. */
const fewestDays = 3

/** Whether the previous close is the raw close before on every day on which the factor moves, and so no exchange's previous close. */
function isCloseBefore(rows: Rows, names: NonNullable<ReturnType<typeof factorColumns>>): boolean {
  const [factor, close, previous] = [names.factor, names.close, names.previous].map((key) => rows.fields.get(key))
  if (!factor || !close || !previous) return false
  const rank = new Map([...rows.dates].sort().map((date, k) => [date, k]))
  const ranks = rows.dates.map((date) => rank.get(date)!)
  const order = Int32Array.from({ length: rows.count }, (_, row) => row).filter(
    (row) => rows.code[row]! >= 0 && rows.date[row]! >= 0 && factor[row] === factor[row] && close[row] === close[row],
  )
  let isSorted = true
  for (let k = 1; k < order.length && isSorted; k++) isSorted = compare(order[k - 1]!, order[k]!) <= 0
  function compare(a: number, b: number): number {
    return rows.code[a]! - rows.code[b]! || ranks[rows.date[a]!]! - ranks[rows.date[b]!]!
  }
  if (!isSorted) order.sort(compare)
  let days = 0
  for (let k = 1; k < order.length; k++) {
    const [row, last] = [order[k]!, order[k - 1]!]
    if (rows.code[row] !== rows.code[last] || !isFactorMoved(factor[last]!, factor[row]!)) continue
    const told = previous[row]!
    // A step of less than a cent says nothing.
    if (told !== told || Math.abs((close[last]! * factor[last]!) / factor[row]! - close[last]!) <= aCent) continue
    if (Math.abs(told - close[last]!) > aCent / 2) return false
    days++
  }
  return days >= fewestDays
}
