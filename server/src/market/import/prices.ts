/** What becomes of a file's prices before its rows are judged: which of their columns are used, and which follow from others. */

import { adjustments, isAdjusted } from '@convexa/contract/enums/adjust'
import { labelOf } from '@convexa/contract/enums/table'
import { markets } from '@convexa/engine'
import { nextTradingDay } from '../calendar.ts'
import type { Adjust, SnapshotKind } from '../manifest.ts'
import { marketOf } from '../market-rules.ts'
import { aCent, factorColumns, isFactorMoved } from './factors.ts'
import { readingOf } from './mapping.ts'
import type { Placed, Stored } from './merge-into-market.ts'
import { rawPrices } from './raw-prices.ts'
import { byCodeAndDay } from './row-order.ts'
import type { Rows } from './rows.ts'
import { ImportFileError } from './source-file.ts'

export interface Priced {
  readonly rows: Rows
  /** How the prices of the rows are stated: adjusted ones may have become raw. */
  readonly adjust: Adjust
  /** The file has no factors: they follow from its previous closes. */
  readonly isDerived: boolean
  /** Fields of the file that are left out. */
  readonly unused: readonly string[]
  /** Sentences for the report. */
  readonly notes: readonly string[]
}

/**
 * @param adjust how the file states its prices
 * @param stored the market that the file goes onto: what is so there stays so
 * @throws ImportFileError where prices cannot become what is stored
 */
export function preparePrices(kind: SnapshotKind, read: Placed, adjust: Adjust, stored: Stored | null): Priced {
  const names = factorColumns(kind)
  const notes: string[] = []
  let { rows } = read
  if (names === null) return { rows, adjust, isDerived: false, unused: [], notes }
  const others: string[] = []
  if (isAdjusted(adjust)) {
    if (stored ? stored.manifest.unused?.includes(names.previous) : isOnOtherBase(rows, names)) {
      if (!stored) notes.push(`文件的前收盘价多数与上一行的收盘价不符，不是${labelOf(adjustments, adjust)}价，未使用。`)
      rows = withoutField(rows, names.previous)
      others.push(names.previous)
    }
    if (!rows.fields.has(names.factor) || !marketOf(kind)?.hasAdjustmentFactor)
      return { rows, adjust, isDerived: false, unused: others, notes }
    const before = stored?.manifest.adjust
    const raw = before === adjust ? null : rawPrices({ ...read, rows }, adjust)
    if (raw === null) {
      if (before !== undefined && !isAdjusted(before))
        throw new ImportFileError('onto', '文件的复权价不能按复权因子还原为未复权价，与已有的未复权行情接不上；请导入整份文件')
      if (!stored)
        notes.push(
          `${labelOf(adjustments, adjust)}价不能按复权因子逐价还原到分，按${labelOf(adjustments, adjust)}价导入，复权因子只用来判断首行是不是新上市。`,
        )
      const unusedFactors = rows.fields.get(names.factor)!
      const unused = [...others, names.factor]
      return { rows: { ...withoutField(rows, names.factor), unusedFactors }, adjust, isDerived: false, unused, notes }
    }
    if (!stored) notes.push(`已按复权因子把${labelOf(adjustments, adjust)}价还原为未复权价，每个价格都还原到分。`)
    rows = raw
  }
  const isUnused = stored ? (stored.manifest.unused?.includes(names.previous) ?? false) : isCloseBefore(rows, names)
  const unused = isUnused && others.length === 0 ? [names.previous] : others
  if (isUnused && others.length === 0) {
    if (!stored) notes.push('文件的前收盘价在除权除息日等于上一日的收盘价，不是交易所公布的前收盘价，未使用。')
    rows = withoutField(rows, names.previous)
  }
  const hasBoth = rows.fields.has(names.close) && rows.fields.has(names.previous)
  const isDerived = !rows.fields.has(names.factor) && hasBoth && (stored === null || stored.columns.has(names.factor))
  if (!isDerived) return { rows, adjust: 'raw', isDerived, unused, notes }
  if (!stored) notes.push('文件没有复权因子，已按前收盘价推算。')
  return { rows: withFactors(kind, rows, new Float64Array(rows.count).fill(Number.NaN)), adjust: 'raw', isDerived, unused, notes }
}

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

/** Of rows of two days in a row hardly any previous close is so far from the close before, if both are on one base; and so many may be. */
const apart = { least: 0.02, most: 0.05 }

/** Whether the previous closes of adjusted prices are on another base than the closes: downloads adjust the four prices alone. */
function isOnOtherBase(rows: Rows, names: NonNullable<ReturnType<typeof factorColumns>>): boolean {
  const [close, previous] = [names.close, names.previous].map((key) => rows.fields.get(key))
  if (!close || !previous) return false
  const order = byCodeAndDay(rows).filter((row) => close[row]! > 0 && previous[row]! > 0)
  const placeOf = new Map(rows.dates.map((date, place) => [date, place]))
  const next = rows.dates.map((date) => placeOf.get(nextTradingDay(date) ?? ''))
  let [pairs, off] = [0, 0]
  for (let k = 1; k < order.length; k++) {
    const [row, last] = [order[k]!, order[k - 1]!]
    if (rows.code[row] !== rows.code[last] || next[rows.date[last]!] !== rows.date[row]) continue
    pairs++
    if (Math.abs(previous[row]! - close[last]!) > apart.least * close[last]!) off++
  }
  return off > apart.most * pairs
}

/** Days on which the factor moves that tell what a column of previous closes is. */
const fewestDays = 3

/** Whether the previous close is the raw close before on every day on which the factor moves, and so no exchange's previous close. */
function isCloseBefore(rows: Rows, names: NonNullable<ReturnType<typeof factorColumns>>): boolean {
  const [factor, close, previous] = [names.factor, names.close, names.previous].map((key) => rows.fields.get(key))
  if (!factor || !close || !previous) return false
  const order = byCodeAndDay(rows).filter((row) => factor[row] === factor[row] && close[row] === close[row])
  let days = 0
  for (let k = 1; k < order.length; k++) {
    const [row, last] = [order[k]!, order[k - 1]!]
    if (rows.code[row] !== rows.code[last] || !isFactorMoved(factor[last]!, factor[row]!)) continue
    const statedPrevious = previous[row]!
    // A step of less than a cent says nothing.
    if (statedPrevious !== statedPrevious || Math.abs((close[last]! * factor[last]!) / factor[row]! - close[last]!) <= aCent) continue
    if (Math.abs(statedPrevious - close[last]!) > aCent / 2) return false
    days++
  }
  return days >= fewestDays
}
