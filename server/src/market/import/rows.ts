/** Rows of one or more files of one mapping, as columns of plain values: what the checks look at and what becomes a table. */
import { isRate } from '@convexa/engine'
import { addDays } from '../calendar.ts'
import type { SnapshotKind } from '../manifest.ts'
import { normalCode } from './code.ts'
import { type Mapping, positiveOnly, type Reading, readingsOf } from './mapping.ts'
import type { Preset } from './presets.ts'
import { columnsOf } from './presets.ts'
import { FileFault, type RawColumn, type SourceFile } from './source-file.ts'

export interface Rows {
  readonly count: number
  /** Places in `codes` and `dates`, −1 where the row's own is not readable. Neither list is sorted. */
  readonly code: Int32Array
  readonly date: Int32Array
  readonly codes: readonly string[]
  readonly dates: readonly string[]
  /** By field key; NaN = nothing there. */
  readonly fields: ReadonlyMap<string, Float64Array>
  readonly readings: readonly Reading[]
  /** 1 inside the listing window; null when the file does not say. */
  readonly listed: Uint8Array | null
  readonly traded: Uint8Array | null
  /** Rows with a cell that should be a number and is not. */
  readonly unreadable: readonly number[]
  /** Newest text of each code, by key: name, stock_code, stock_name and the attributes. */
  readonly texts: ReadonlyMap<string, readonly (string | undefined)[]>
  /** Where a row stands in its file, for the report. */
  whereIs(row: number): string
  /** Code and date as the file writes them, for the report. */
  labelOf(row: number): string
}

export async function readRows(
  kind: SnapshotKind,
  files: readonly SourceFile[],
  mapping: Mapping,
  preset: Preset | null,
  onProgress: (file: string) => void,
): Promise<Rows> {
  const readings = readingsOf(kind, mapping)
  const wanted = columnsOf(mapping)
  const parts: { file: SourceFile; rows: number; columns: Map<string, RawColumn> }[] = []
  for (const file of files) {
    const missing = wanted.filter((column) => !file.columns.includes(column))
    if (missing.length > 0) throw new FileFault('schema', `文件 ${file.name} 缺少列：${missing.join('、')}`)
    onProgress(file.name)
    parts.push({ file, ...(await file.read(wanted)) })
  }
  const count = parts.reduce((sum, part) => sum + part.rows, 0)
  if (count === 0) throw new FileFault('truncated', `文件 ${files.map((file) => file.name).join('、')} 没有数据行`)
  const starts: number[] = []
  parts.reduce((start, part) => {
    starts.push(start)
    return start + part.rows
  }, 0)

  const codeOf = codeReader(kind, preset)
  const dateOf = dateReader()
  const code = new Int32Array(count).fill(-1)
  const date = new Int32Array(count).fill(-1)
  const fields = new Map(readings.map(({ field }) => [field.key, new Float64Array(count).fill(Number.NaN)]))
  const listed = mapping.listed === undefined ? null : new Uint8Array(count)
  const traded = mapping.traded === undefined ? null : new Uint8Array(count)
  const unreadable = new Set<number>()
  const textColumns = { name: mapping.name, stock_code: mapping.stock_code, stock_name: mapping.stock_name, ...mapping.attributes }
  const texts = new Map<string, (string | undefined)[]>()

  parts.forEach(({ rows, columns }, k) => {
    const start = starts[k]!
    const column = (name: string): RawColumn => columns.get(name) ?? { kind: 'number', values: new Float64Array(rows).fill(Number.NaN) }
    readEach(column(mapping.code), rows, (raw, i) => {
      code[start + i] = codeOf.place(raw)
    })
    readEach(column(mapping.date), rows, (raw, i) => {
      date[start + i] = dateOf.place(raw)
    })
    for (const reading of readings) readField(reading, column(reading.column), rows, fields.get(reading.field.key)!, start, unreadable)
    if (mapping.listed !== undefined) readFlags(column(mapping.listed), rows, listed!, start)
    if (mapping.traded !== undefined) readFlags(column(mapping.traded), rows, traded!, start)
    for (const [key, name] of Object.entries(textColumns)) {
      if (name === undefined) continue
      const known = texts.get(key) ?? []
      texts.set(key, known)
      readEach(column(name), rows, (raw, i) => {
        const place = code[start + i]!
        if (place >= 0 && raw !== null) known[place] = String(raw).trim()
      })
    }
  })
  if (dateOf.formats().length > 1) {
    throw new FileFault('mixed_dates', `日期列的写法不一致：同时有 ${dateOf.formats().join('、')}`)
  }

  const partOf = (row: number) => starts.findLastIndex((start) => start <= row)
  return {
    count,
    code,
    date,
    codes: codeOf.list,
    dates: dateOf.list,
    fields,
    readings,
    listed,
    traded,
    unreadable: [...unreadable],
    texts,
    whereIs: (row) => `${parts[partOf(row)]!.file.name} 第 ${row - starts[partOf(row)]! + 1} 条`,
    labelOf: (row) => {
      const part = partOf(row)
      const raw = (name: string) => {
        const cells = parts[part]!.columns.get(name)
        const cell = cells?.values[row - starts[part]!] ?? null
        return cell === null || cell !== cell ? '空' : String(cell)
      }
      const codeText = code[row]! >= 0 ? codeOf.list[code[row]!]! : raw(mapping.code)
      return `${codeText} ${date[row]! >= 0 ? dateOf.list[date[row]!]! : raw(mapping.date)}`
    },
  }
}

/**
 * 1 for rows inside listing windows: as the file says, else between the listing day and the day of leaving that a list tells. Null: nothing is
 * known of rows outside of them.
 */
export function insideOf(
  rows: Rows,
  about: (code: string) => { readonly listed?: string; readonly delisted?: string } | undefined,
): Uint8Array | null {
  if (rows.listed !== null) return rows.listed
  const windows = rows.codes.map(about)
  const isOutside = (row: number) => {
    const [code, date] = [rows.code[row]!, rows.date[row]!]
    const window = code < 0 || date < 0 ? undefined : windows[code]
    if (window === undefined) return false
    const day = rows.dates[date]!
    return (window.listed !== undefined && day < window.listed) || (window.delisted !== undefined && day >= window.delisted)
  }
  const inside = Uint8Array.from({ length: rows.count }, (_, row) => Number(!isOutside(row)))
  return inside.includes(0) ? inside : null
}

/** Calls with each cell, numbers that are nothing as null. */
function readEach(column: RawColumn, rows: number, visit: (raw: string | number | null, row: number) => void): void {
  if (column.kind === 'text') {
    const { values } = column
    for (let i = 0; i < rows; i++) visit(values[i] ?? null, i)
    return
  }
  const { values } = column
  for (let i = 0; i < rows; i++) visit(values[i] === values[i] ? values[i]! : null, i)
}

function readField(reading: Reading, column: RawColumn, rows: number, into: Float64Array, start: number, unreadable: Set<number>): void {
  const { field, multiply, divide } = reading
  const { values: words } = field
  const positive = positiveOnly.has(field.key)
  if (words !== undefined && column.kind === 'text') {
    const places = new Map(words.map((word, place) => [word, place]))
    for (let i = 0; i < rows; i++) {
      const text = column.values[i]
      if (text === null || text === undefined) continue
      into[start + i] = places.get(text.trim()) ?? Number.NaN
    }
    return
  }
  for (let i = 0; i < rows; i++) {
    let value: number
    if (column.kind === 'number') value = column.values[i]!
    else {
      const text = column.values[i]
      if (text === null || text === undefined) continue
      value = numberOf(text)
      if (value !== value) unreadable.add(start + i)
    }
    if (multiply !== 1) value *= multiply
    if (divide !== 1) value /= divide
    // Infinity poisons every sum that it meets.
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY || (positive && value <= 0)) value = Number.NaN
    into[start + i] = value
  }
}

/** `1,234.5`, `12.3%` is 12.3: the unit is the mapping's matter. */
function numberOf(text: string): number {
  const plain = text.replaceAll(',', '').replace(/%$/, '').trim()
  return plain === '' ? Number.NaN : Number(plain)
}

function readFlags(column: RawColumn, rows: number, into: Uint8Array, start: number): void {
  readEach(column, rows, (raw, i) => {
    into[start + i] = raw === 1 || (typeof raw === 'string' && yes.has(raw.trim().toLowerCase())) ? 1 : 0
  })
}
const yes = new Set(['1', '1.0', 'true', 't', 'y', 'yes', '是'])

interface Reader {
  readonly list: string[]
  place(raw: string | number | null): number
}

/** Each writing of a code is read once. */
function codeReader(kind: SnapshotKind, preset: Preset | null): Reader {
  const list: string[] = []
  const placeOf = new Map<string, number>()
  const known = new Map<string | number, number>()
  return {
    list,
    place(raw) {
      if (raw === null) return -1
      const before = known.get(raw)
      if (before !== undefined) return before
      const text = preset?.codes?.[String(raw)]?.code ?? (kind === 'index' ? indexCode(String(raw)) : normalCode(String(raw), kind))
      let place = -1
      if (text !== null) {
        place = placeOf.get(text) ?? list.push(text) - 1
        placeOf.set(text, place)
      }
      known.set(raw, place)
      return place
    },
  }
}

/** Index codes have no suffix; yields by rating are named by it (`yield_aa+_3`). */
function indexCode(text: string): string | null {
  const code = text.trim().toLowerCase()
  return isRate(code) ? code : (/^([0-9a-z_]{2,12})(\.[a-z]+)?$/.exec(code)?.[1] ?? null)
}

function dateReader(): Reader & { formats(): string[] } {
  const list: string[] = []
  const placeOf = new Map<string, number>()
  const known = new Map<string | number, number>()
  const formats = new Set<string>()
  return {
    list,
    formats: () => [...formats],
    place(raw) {
      if (raw === null) return -1
      const before = known.get(raw)
      if (before !== undefined) return before
      const read = typeof raw === 'number' ? dateOfNumber(raw) : dateOfText(raw.trim())
      let place = -1
      if (read !== null) {
        formats.add(read.format)
        place = placeOf.get(read.date) ?? list.push(read.date) - 1
        placeOf.set(read.date, place)
      }
      known.set(raw, place)
      return place
    },
  }
}

function dateOfNumber(value: number): { date: string; format: string } | null {
  if (value > 19_000_000 && value < 21_010_000) return dateOfText(String(value))
  // Days since 1970, as Parquet dates are read.
  if (Number.isInteger(value) && value > 0 && value < 50_000) return { date: addDays('1970-01-01', value), format: '日期' }
  return null
}

const dateForms: readonly (readonly [string, RegExp])[] = [
  ['YYYY-MM-DD', /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]00:00:00(?:\.0+)?(?:Z|\+00:00|\+08:00)?)?$/],
  ['YYYYMMDD', /^(\d{4})(\d{2})(\d{2})(?:\.0)?$/],
  ['YYYY/MM/DD', /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/],
  ['YYYY年MM月DD日', /^(\d{4})年(\d{1,2})月(\d{1,2})日$/],
]

function dateOfText(text: string): { date: string; format: string } | null {
  for (const [format, pattern] of dateForms) {
    const found = pattern.exec(text)
    if (found === null) continue
    const date = `${found[1]}-${found[2]!.padStart(2, '0')}-${found[3]!.padStart(2, '0')}`
    const real = !Number.isNaN(Date.parse(`${date}T00:00:00Z`)) && addDays(date, 0) === date
    return real ? { date, format } : null
  }
  return null
}
