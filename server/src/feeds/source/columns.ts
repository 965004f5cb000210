/**
 * What a provider's columns are of ours: a table of lines `ours: theirs` or `ours: {column, unit}`, with the units that imports know
 * (server/src/market/import/mapping.ts), and the table of a day that its rows make.
 */

import { saysNothing } from '../../market/cell-filling.ts'
import { readWord, wordsOf } from '../../market/import/cells/enumeration.ts'
import { type FieldSource, type Reading, readingOf, readingsOf } from '../../market/import/mapping.ts'
import type { SnapshotKind } from '../../market/manifest.ts'
import { FeedError } from '../feed.ts'
import type { DayTable } from '../rows.ts'
import { numberCell } from './cell.ts'
import { mayBeUnread, unreadText } from './readable.ts'

export type Readings = readonly Reading[]

export const readings = (kind: SnapshotKind, fields: Readonly<Record<string, FieldSource>>): Readings => readingsOf(kind, { fields })

/** A column that no market keeps, taken as it is. */
export const plain = (key: string, column: string, unit: string): Reading => readingOf({ key, unit, store: 'f64' }, column)

/** Prices of a day; a suspended or not yet opened security has zeros there. */
const prices = new Set(['open', 'high', 'low', 'close', 'pre_close', 'up_limit', 'down_limit', 'conv_price', 'close_stk'])

/** A share has shares and a size: 0 is what is not told yet. */
const sizes = new Set(['total_mv', 'circ_mv', 'total_share', 'float_share', 'free_share'])

/** One row as a provider gave it. */
export interface SourceRow {
  readonly code: string
  cell(column: string): unknown
}

/** Values of a row in our fields and units. */
function valueIn(reading: Reading, row: SourceRow): number {
  const { field, column } = reading
  const raw = row.cell(column)
  const where = `${row.code} 的 ${column}`
  const words = wordsOf(field.key, field.values)
  // A rating that we do not know is none; a number that we cannot read is a fault.
  if (words && typeof raw === 'string') return readWord(raw, words) ?? Number.NaN
  const value = numberCell(raw, where, reading)
  if (value <= 0 && field.positive) return saysNothing
  return value <= 0 && (prices.has(field.key) || sizes.has(field.key)) ? Number.NaN : value
}

/**
 * The table of a day, ascending by code. The same row twice is one (pages overlap); two rows that differ are both rejected, as is a row that
 * cannot be read or has trades without a price: a few such are left out and named.
 * @param label what a person calls the provider
 * @throws FeedError where more than a few rows are rejected
 */
export function dayTable(
  label: string,
  date: string,
  rows: readonly SourceRow[],
  table: Readings,
  more: Pick<DayTable, 'suspended' | 'notes'> = {},
): DayTable {
  const rejected = new Map<string, FeedError>()
  const sorted = withPrice(label, date, readRows(rows, table, rejected), table, rejected)
  sorted.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0))
  const kept = sorted.filter((row, i) => {
    const before = sorted[i - 1]
    if (before?.code !== row.code) return true
    if (!row.values.every((value, k) => Object.is(value, before.values[k])))
      rejected.set(row.code, new FeedError('shape', `${label}对 ${row.code} ${date} 给出两行不同的数据`))
    return false
  })
  const good = rejected.size === 0 ? kept : kept.filter(({ code }) => !rejected.has(code))
  const [first] = rejected.values()
  if (first && !mayBeUnread(rejected.size, good.length + rejected.size)) throw first
  const columns = new Map(table.map(({ field }, k) => [field.key, Float64Array.from(good, ({ values }) => values[k]!)]))
  const codes = good.map(({ code }) => code)
  if (!first) return { date, codes, columns, ...more }
  const notes = [...(more.notes ?? []), unreadText(first.message, rejected.size)]
  return { date, codes, columns, ...more, notes, unread: [...rejected.keys()].sort() }
}

function readRows(rows: readonly SourceRow[], table: Readings, rejected: Map<string, FeedError>): { code: string; values: number[] }[] {
  return rows.flatMap((row) => {
    try {
      return [{ code: row.code, values: table.map((reading) => valueIn(reading, row)) }]
    } catch (error) {
      if (!(error instanceof FeedError) || error.kind !== 'shape') throw error
      rejected.set(row.code, error)
      return []
    }
  })
}

/** Without rows that tell of trades and of no price: those are rejected, and no suspension. */
function withPrice<R extends { code: string; values: number[] }>(
  label: string,
  date: string,
  rows: R[],
  table: Readings,
  rejected: Map<string, FeedError>,
): R[] {
  const [close, vol, amount] = ['close', 'vol', 'amount'].map((key) => table.findIndex(({ field }) => field.key === key))
  if (close === -1) return rows
  return rows.filter(({ code, values }) => {
    const [price, volume, paid] = [close, vol, amount].map((place) => values[place!])
    if (price! > 0 || !(volume! > 0 || (volume !== 0 && paid! > 0))) return true
    rejected.set(code, new FeedError('shape', `${label}对 ${code} ${date} 给出了成交，没有给出价格`))
    return false
  })
}

/** The first table with the columns of the others on its rows; rows of the others that it does not have are left out. */
export function beside(first: DayTable, ...others: readonly DayTable[]): DayTable {
  const columns = new Map(first.columns)
  for (const other of others) {
    const placeOf = new Map(other.codes.map((code, i) => [code, i]))
    for (const [key, values] of other.columns)
      columns.set(
        key,
        Float64Array.from(first.codes, (code) => values[placeOf.get(code) ?? -1] ?? Number.NaN),
      )
  }
  return { ...first, columns }
}

/** The rows that a filter keeps. */
export function only(table: DayTable, keep: (code: string, row: number) => boolean): DayTable {
  const places = table.codes.flatMap((code, i) => (keep(code, i) ? [i] : []))
  const columns = new Map([...table.columns].map(([key, values]) => [key, Float64Array.from(places, (i) => values[i]!)]))
  return { ...table, codes: places.map((i) => table.codes[i]!), columns }
}

/**
 * Takes out the rows of securities that did not trade, and names those that say so, with a volume of zero: some providers have a row for
 * them, others have not. A row with neither a price nor a volume says nothing.
 */
export function tradedOnly(table: DayTable, more: readonly string[] = []): DayTable {
  const [vol, close] = [table.columns.get('vol'), table.columns.get('close')]
  // A volume that is not known is no volume of zero.
  const traded = (i: number) => vol?.[i] !== 0 && (close === undefined || close[i]! > 0)
  const still = table.codes.filter((_, i) => vol?.[i] === 0)
  const suspended = [...new Set([...still, ...more, ...(table.suspended ?? [])])].sort()
  return { ...only(table, (_, i) => traded(i)), suspended }
}
