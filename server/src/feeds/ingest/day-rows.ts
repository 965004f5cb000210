/** A day's table behind the days before it, as rows that the import's checks can judge. */
import { fieldsOf, readingOf } from '../../market/import/mapping.ts'
import type { Rows } from '../../market/import/rows.ts'
import type { DayTable } from '../rows.ts'
import type { Past } from './past.ts'

export interface DayRows {
  readonly rows: Rows
  /** The first row of the day itself. */
  readonly from: number
}

/**
 * Rows of the past are those with a trade; of a security without any trade on all of its days, the last row with the prices that are
 * carried.
 * `didTrade`: by row of the day; `source`: for the report.
 */
export function dayRows(past: Past, table: DayTable, didTrade: Uint8Array, source: string): DayRows {
  const { stride, traded } = past
  const before: number[] = []
  const end = past.dates.length * stride
  const stood = new Uint8Array(past.securities.length).fill(1)
  for (let cell = 0; cell < end; cell++) {
    if (traded[cell] === 0) continue
    before.push(cell)
    stood[cell % stride] = 0
  }
  for (let cell = Math.max(0, end - stride); cell < end; cell++)
    if (stood[cell % stride] === 1 && past.listed[cell] === 1) before.push(cell)
  const from = before.length
  const count = from + table.codes.length
  const codes = past.securities.map(({ code }) => code)
  const placeOf = new Map(codes.map((code, place) => [code, place]))
  const form = past.kind === 'index' ? /^[0-9a-z_]{2,12}$/ : /^\d{6}\.(SH|SZ|BJ|DM)$/
  const own = table.codes.map((text) => {
    if (!form.test(text)) return -1
    const place = placeOf.get(text) ?? codes.push(text) - 1
    placeOf.set(text, place)
    return place
  })
  const keys = new Set([...past.columns.keys(), ...table.columns.keys()])
  const known = new Map(fieldsOf(past.kind).map((field) => [field.key, field]))
  const fields = new Map<string, Float64Array>()
  for (const key of keys) {
    const [old, now] = [past.columns.get(key), table.columns.get(key)]
    // What only the days before have says nothing of this one.
    if (!known.has(key) || !now) continue
    const cells = new Float64Array(count).fill(Number.NaN)
    if (old) for (let row = 0; row < from; row++) cells[row] = old[before[row]!]!
    for (let i = 0; i < now.length; i++) cells[from + i] = Number.isFinite(now[i]) ? now[i]! : Number.NaN
    fields.set(key, cells)
  }
  const rows: Rows = {
    count,
    code: Int32Array.from({ length: count }, (_, row) => (row < from ? before[row]! % stride : own[row - from]!)),
    date: Int32Array.from({ length: count }, (_, row) => (row < from ? Math.floor(before[row]! / stride) : past.dates.length)),
    codes,
    dates: [...past.dates, table.date],
    fields,
    readings: [...fields.keys()].map((key) => readingOf(known.get(key)!, key)),
    listed: null,
    traded: Uint8Array.from({ length: count }, (_, row) => (row < from ? traded[before[row]!]! : didTrade[row - from]!)),
    unreadable: new Map(
      table.codes.flatMap((_, i) => {
        const found = [...table.columns].find(([, column]) => isInfinite(column[i]!))
        return found ? [[from + i, { column: found[0], text: String(found[1][i]) }]] : []
      }),
    ),
    findings: [],
    texts: new Map(),
    whereIs: (row) => `${source} 第 ${row - from + 1} 条`,
    labelOf: (row) => `${table.codes[row - from] ?? codes[0]} ${table.date}`,
  }
  return { rows, from }
}

const isInfinite = (value: number): boolean => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
