/**
 * Rows of securities that belong to no market: downloads of all codes of an exchange have its indexes, funds, bonds and B shares among the
 * shares. They are not read, which the report says: their limits, lots and taxes are others, and they would be picked as shares are.
 */
import type { SnapshotKind } from '../manifest.ts'
import type { Rows } from './rows.ts'
import { ImportFileError } from './source-file.ts'

/** By exchange the numbers that it gives to others; what is given to nobody yet is let in. */
const foreign: Readonly<
  Record<Exclude<SnapshotKind, 'index'>, { readonly text: string; readonly numbers: Readonly<Record<string, RegExp>> }>
> = {
  stk: {
    text: '不是 A 股的代码（指数、基金、债券、B 股等），未读入',
    // SH: indexes 0, bonds 1, repos 2, funds 5, subscriptions 7, B shares 9; SZ: bonds and funds 1, B shares 20, indexes 39; BJ: indexes 899,
    // preferred shares 82, what was delisted 40 and 42. 880 to 885 are a terminal's own indexes of sectors.
    numbers: { SH: /^[0125789]/, SZ: /^(1|20|39)/, BJ: /^(40|42|82|88[0-5]|899)/ },
  },
  cb: {
    text: '不是可转债的代码（股票、指数、基金等），未读入',
    numbers: { SH: /^[0569]/, SZ: /^(0|15|16|18|2|3)/, BJ: /^(4|8|92)/ },
  },
}

/** Whether an exchange gives the number of a code to something else than the market's securities. */
export const isForeign = (kind: keyof typeof foreign, code: string): boolean => foreign[kind].numbers[code.slice(7)]?.test(code) === true

/** @throws ImportFileError where a file has nothing else */
export function withoutForeignCodes(kind: SnapshotKind, rows: Rows): Rows {
  if (kind === 'index') return rows
  const { text } = foreign[kind]
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
