/**
 * Rows of securities that belong to no market: downloads of all codes of an exchange have its indexes, funds, bonds and B shares among the
 * shares. They are not read, which the report says: their limits, lots and taxes are others, and they would be picked as shares are.
 */
import type { MarketId } from '@convexa/contract'
import type { SnapshotKind } from '../manifest.ts'
import { marketRules } from '../market-rules.ts'
import type { Rows } from './rows.ts'
import { ImportFileError } from './source-file.ts'

/** Whether an exchange gives the number of a code to something else than the market's securities. */
export const isForeign = (kind: MarketId, code: string): boolean => marketRules[kind].foreign.numbers[code.slice(7)]?.test(code) === true

/** @throws ImportFileError where a file has nothing else */
export function withoutForeignCodes(kind: SnapshotKind, rows: Rows): Rows {
  if (kind === 'index') return rows
  const { text } = marketRules[kind].foreign
  const isOther = rows.codes.map((code) => isForeign(kind, code))
  const others = rows.codes.filter((_, place) => isOther[place])
  if (others.length === 0) return rows
  const kept = Int32Array.from(rows.code.keys()).filter((row) => isOther[rows.code[row]!] !== true)
  if (kept.length === 0) throw new ImportFileError('schema', `文件里的代码都${text}（例如 ${others[0]}）`)
  const placeOf = new Map(Array.from(kept, (row, place) => [row, place]))
  const picked = <A extends Int32Array | Uint8Array | Float64Array>(cells: A): A =>
    (cells.constructor as unknown as { from(of: Int32Array, cell: (row: number) => number): A }).from(kept, (row) => cells[row]!)
  return {
    ...rows,
    count: kept.length,
    code: picked(rows.code),
    date: picked(rows.date),
    fields: new Map([...rows.fields].map(([key, cells]) => [key, picked(cells)])),
    listed: rows.listed && picked(rows.listed),
    traded: rows.traded && picked(rows.traded),
    unreadable: new Map([...rows.unreadable].flatMap(([row, fault]) => (placeOf.has(row) ? [[placeOf.get(row)!, fault] as const] : []))),
    findings: [...rows.findings, { check: 'foreign_codes', level: 'warning', count: others.length, text, examples: others.slice(0, 20) }],
    whereIs: (row) => rows.whereIs(kept[row]!),
    labelOf: (row) => rows.labelOf(kept[row]!),
  }
}
