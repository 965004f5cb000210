/** Versions of a row: a file with an `update_flag` says which of the rows of one code and day is the correction. */
import type { Rows } from './rows.ts'

/** The rows without those that a newer one of the file replaces. @param versions by row, the greater is the newer; null: the file does not say */
export function withoutOlder(rows: Rows, versions: Float64Array | null): Rows {
  if (versions === null) return rows
  const { count, code, date, codes } = rows
  const cellOf = (row: number) => date[row]! * codes.length + code[row]!
  const newest = new Map<number, number>()
  const isPlaced = (row: number) => code[row]! >= 0 && date[row]! >= 0
  for (let row = 0; row < count; row++) if (isPlaced(row)) newest.set(cellOf(row), Math.max(versions[row]!, newest.get(cellOf(row)) ?? 0))
  const isOld = (row: number) => isPlaced(row) && versions[row]! < newest.get(cellOf(row))!
  const all = Int32Array.from({ length: count }, (_, row) => row)
  const older = all.filter(isOld)
  if (older.length === 0) return rows
  const examples = [...older.subarray(0, 5)].map((row) => `${rows.labelOf(row)}（${rows.whereIs(row)}）`)
  const text = '同一代码同一日期有修订（update_flag），只采用较新的一行'
  const found = { check: 'superseded', level: 'warning', count: older.length, text, examples } as const
  const kept = all.filter((row) => !isOld(row))
  return { ...pickRows(rows, kept), findings: [...rows.findings, found] }
}

/** The rows at some places, in that order. */
export function pickRows(rows: Rows, kept: Int32Array): Rows {
  const flags = (mask: Uint8Array | null) => mask && Uint8Array.from(kept, (row) => mask[row]!)
  const unreadable = new Map([...kept].flatMap((row, k) => (rows.unreadable.has(row) ? [[k, rows.unreadable.get(row)!] as const] : [])))
  return {
    ...rows,
    count: kept.length,
    code: Int32Array.from(kept, (row) => rows.code[row]!),
    date: Int32Array.from(kept, (row) => rows.date[row]!),
    fields: new Map([...rows.fields].map(([key, column]) => [key, Float64Array.from(kept, (row) => column[row]!)])),
    listed: flags(rows.listed),
    traded: flags(rows.traded),
    unreadable,
    whereIs: (row) => rows.whereIs(kept[row]!),
    labelOf: (row) => rows.labelOf(kept[row]!),
  }
}
