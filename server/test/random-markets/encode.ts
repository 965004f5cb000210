/** Tables as bytes: CSV in the encodings that files come in, and Parquet with the column types that pandas writes. */
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ParquetType } from './date-writings.ts'

export interface WrittenFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface CsvStyle {
  readonly encoding: 'utf-8' | 'utf-8 with BOM' | 'gbk'
  readonly lineEnd: '\n' | '\r\n'
  /** Quotes every cell, not only those that need it. */
  readonly isQuoted: boolean
  readonly endsWithLineEnd: boolean
}

/** Cells as they are to be read; `bare` holds the columns that are written as they are even where they hold quotes. */
export function csvBytes(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { encoding, lineEnd, isQuoted, endsWithLineEnd }: CsvStyle,
  bare: ReadonlySet<number> = new Set(),
): Uint8Array {
  const quoted = (cell: string, k: number) =>
    !bare.has(k) && (isQuoted || /[",\r\n]/.test(cell)) ? `"${cell.replaceAll('"', '""')}"` : cell
  const text = [header.map((cell) => quoted(cell, -1)), ...rows.map((row) => row.map(quoted))].map((cells) => cells.join(',')).join(lineEnd)
  const all = `${text}${endsWithLineEnd ? lineEnd : ''}`
  if (encoding === 'gbk') return gbkBytes(all)
  return Buffer.from(encoding === 'utf-8' ? all : `\ufeff${all}`)
}

let gbkOf: Map<string, readonly number[]> | null = null

/** The platform only reads GBK; what it reads of each pair of bytes is the way back. */
function gbkTable(): Map<string, readonly number[]> {
  const decoder = new TextDecoder('gbk')
  const table = new Map<string, readonly number[]>()
  for (let high = 0x81; high <= 0xfe; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      const letter = decoder.decode(Uint8Array.of(high, low))
      if (low !== 0x7f && letter.length === 1 && letter !== '\ufffd' && !table.has(letter)) table.set(letter, [high, low])
    }
  }
  return table
}

function gbkBytes(text: string): Uint8Array {
  gbkOf ??= gbkTable()
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    if (code < 0x80) bytes.push(code)
    else {
      const pair = gbkOf.get(letter)
      if (!pair) throw new Error(`GBK has no ${letter}`)
      bytes.push(...pair)
    }
  }
  return Uint8Array.from(bytes)
}

/** A column of Parquet: texts, numbers, flags, or a declared type. Null is a cell without a value. */
export interface ParquetColumn {
  readonly name: string
  readonly type: ParquetType | 'STRING' | 'BOOLEAN' | 'FLOAT'
  readonly cells: readonly (string | number | bigint | boolean | null)[]
}

export function parquetBytes(columns: readonly ParquetColumn[], rowGroupSize = 1_000): Uint8Array {
  const elements = columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...elementOf(type) }))
  const buffer = parquetWriteBuffer({
    schema: [{ name: 'root', num_children: columns.length }, ...elements],
    columnData: columns.map(({ name, type, cells }) => ({
      name,
      data: type.startsWith('TIMESTAMP') || type === 'DATE' ? asRaw(cells) : [...cells],
    })),
    rowGroupSize,
  })
  return new Uint8Array(buffer)
}

const asRaw = (cells: ParquetColumn['cells']) => [...cells]

function elementOf(type: ParquetColumn['type']) {
  if (type === 'STRING') return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const
  if (type === 'DATE') return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } } as const
  const stamp = /^TIMESTAMP_(MILLIS|MICROS|NANOS)_(UTC|LOCAL)$/.exec(type)
  if (!stamp) return { type: type as 'INT32' | 'INT64' | 'DOUBLE' | 'FLOAT' | 'BOOLEAN' } as const
  const [, unit, zone] = stamp as unknown as [string, 'MILLIS' | 'MICROS' | 'NANOS', string]
  return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: zone === 'UTC', unit } } as const
}
