/** Opens a Parquet or CSV file and reads the asked columns as numbers or texts. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { shown } from '@convexa/contract'
import { doublesOf } from '@convexa/engine'
import { parse } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'
import {
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type SchemaElement,
} from 'hyparquet'
import { compressors as written } from 'hyparquet-compressors'
import { shanghaiDayOf } from './cells/day.ts'
import { isEmpty, longestEmpty } from './cells/text.ts'

/** A whole file that cannot be used; `text` is a Chinese sentence for the report. */
export class ImportFileError extends Error {
  readonly check: string
  constructor(check: string, text: string) {
    super(text)
    this.check = check
  }
}

/** Numbers with NaN for nothing, or texts with null for nothing. `isDays`: the column has a date type, its numbers are days since 1970. */
export type RawColumn =
  | { readonly kind: 'number'; readonly values: Float64Array; readonly isDays?: boolean }
  | { readonly kind: 'text'; readonly values: (string | null)[] }

export interface SourceFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly columns: readonly string[]
  /** Reads columns by name. */
  read(columns: readonly string[]): Promise<{ rows: number; columns: Map<string, RawColumn> }>
}

const tableExtensions: readonly string[] = ['.parquet', '.csv', '.txt', '.tsv']

/** Whether a file in a folder is a table; what begins with `.` or `~$` is what a system or a spreadsheet keeps of one (`._a.csv` of macOS). */
const isTable = (name: string): boolean =>
  tableExtensions.includes(extname(name).toLowerCase()) && !/^(\.|~\$)/.test(name) && name !== 'SOURCE.txt'

/** The tables in a folder, ascending by name; not those in folders below it. @throws the system's error */
export async function tablesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.flatMap((entry) => (!entry.isDirectory() && isTable(entry.name) ? [join(folder, entry.name)] : [])).sort()
}

/** The system does not give the file: no right to read it, a broken disk. That says nothing of what the file holds. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error

export async function openSource(path: string): Promise<SourceFile> {
  const { size } = await stat(path)
  if (size === 0) throw new ImportFileError('truncated', `文件 ${basename(path)} 是空的`)
  const isParquet = extname(path).toLowerCase() === '.parquet'
  if (!isParquet) await refuseBinary(path)
  const file = isParquet ? await openParquet(path, size) : await openCsv(path, size)
  return {
    ...file,
    read(columns) {
      for (const column of columns) {
        const times = file.columns.filter((each) => each === column).length
        if (times > 1)
          throw new ImportFileError('schema', `文件 ${file.name} 的表头里“${shown(column, 40)}”出现了 ${times} 次，不能确定用哪一列`)
      }
      return file.read(columns)
    },
  }
}

/** What a file is that is named like a text and is none, by its first bytes. */
const signatures: readonly { readonly bytes: readonly number[]; readonly text: string }[] = [
  { bytes: [0x1f, 0x8b], text: '是 gzip 压缩文件，请先解压' },
  { bytes: [0x50, 0x4b], text: '是 Excel 或 zip 文件，请另存为 CSV（UTF-8）' },
  { bytes: [0x50, 0x41, 0x52, 0x31], text: '是 Parquet 文件，请把扩展名改为 .parquet' },
  { bytes: [0xff, 0xfe], text: '的编码是 UTF-16，请另存为 UTF-8' },
  { bytes: [0xfe, 0xff], text: '的编码是 UTF-16，请另存为 UTF-8' },
]

/** @throws ImportFileError */
async function refuseBinary(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const found = signatures.find(({ bytes }) => bytes.length <= bytesRead && bytes.every((byte, k) => buffer[k] === byte))
    if (found) throw new ImportFileError('encoding', `文件 ${basename(path)} ${found.text}`)
  } finally {
    await file.close()
  }
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(part as Buffer)
  return hash.digest('hex')
}

/** Node's own are several times as fast as those in JavaScript; no page becomes longer than its header says. */
const native =
  (inflate: (input: Uint8Array, options: { maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, length: number): Uint8Array =>
    inflate(input, { maxOutputLength: Math.max(1, length) })
const compressors: Compressors = {
  ...written,
  ZSTD: native(zstdDecompressSync),
  GZIP: native(gunzipSync),
  BROTLI: native(brotliDecompressSync),
}

async function openParquet(path: string, bytes: number): Promise<SourceFile> {
  const name = basename(path)
  const broken = (error: unknown): never => {
    if (isOfSystem(error)) throw error
    throw new ImportFileError('truncated', `文件 ${name} 不完整或不是 Parquet 文件`)
  }
  const file = await asyncBufferFromFile(path)
  const metadata: FileMetaData = await parquetMetadataAsync(file).catch(broken)
  const rows = Number(metadata.num_rows)
  // A column of lists or structs is no column of a market; it is not offered.
  const elements = parquetSchema(metadata).children.flatMap((child) => (child.children.length === 0 ? [child.element] : []))
  const columns = elements.map((element) => element.name)
  const clocks = new Map(elements.map((element) => [element.name, clockOf(element)]))
  return {
    path,
    name,
    bytes,
    columns,
    async read(wanted) {
      const made = new Map<string, RawColumn>()
      await parquetRead({
        file,
        metadata,
        columns: [...wanted],
        compressors,
        parsers: {
          dateFromDays: (days) => days,
          timestampFromMilliseconds: (millis) => Number(millis),
          timestampFromMicroseconds: (micros) => Number(micros) / 1e3,
          timestampFromNanoseconds: (nanos) => Number(nanos) / 1e6,
        },
        onChunk: ({ columnName, columnData, rowStart }) =>
          fill(made, columnName, columnData as ArrayLike<unknown>, rowStart, rows, clocks.get(columnName) ?? null),
      }).catch(broken)
      for (const name of wanted) if (!made.has(name)) made.set(name, nothing(rows))
      return { rows, columns: made }
    },
  }
}

const nothing = (rows: number): RawColumn => ({ kind: 'number', values: new Float64Array(rows).fill(Number.NaN) })

const dayMs = 86_400_000

/** How a column of a date type tells its days: as they are, or as milliseconds since 1970, and what those are days of. */
interface Clock {
  readonly dayOf: ((ms: number) => number) | null
}

/**
 * An instant belongs to the day in Shanghai, a timestamp without a zone to the day that it writes. A timestamp that does not say which it
 * is (old writers) is an instant, as the format has it.
 */
function clockOf({ type, converted_type, logical_type }: SchemaElement): Clock | null {
  if (converted_type === 'DATE' || logical_type?.type === 'DATE') return { dayOf: null }
  const isTimestamp = converted_type?.startsWith('TIMESTAMP') || logical_type?.type === 'TIMESTAMP' || type === 'INT96'
  if (!isTimestamp) return null
  const isInstant = logical_type?.type !== 'TIMESTAMP' || logical_type.isAdjustedToUTC
  return { dayOf: isInstant ? shanghaiDayOf : (ms) => Math.floor(ms / dayMs) }
}

function fill(
  made: Map<string, RawColumn>,
  name: string,
  data: ArrayLike<unknown>,
  start: number,
  rows: number,
  clock: Clock | null,
): void {
  let column = made.get(name)
  if (column === undefined) {
    let k = 0
    while (k < data.length && (data[k] === null || data[k] === undefined)) k++
    // What begins with nothing may go on with texts.
    if (k === data.length) return
    column =
      typeof data[k] === 'string'
        ? { kind: 'text', values: new Array<string | null>(rows).fill(null) }
        : { kind: 'number', values: new Float64Array(rows).fill(Number.NaN), ...(clock && { isDays: true }) }
    made.set(name, column)
  }
  if (column.kind === 'text') {
    for (let i = 0; i < data.length; i++) column.values[start + i] = typeof data[i] === 'string' ? (data[i] as string) : null
    return
  }
  const { values } = column
  if (data instanceof Float32Array) {
    values.set(doublesOf(data), start)
    return
  }
  if (data instanceof Float64Array || data instanceof Int32Array) {
    values.set(data, start)
    return
  }
  for (let i = 0; i < data.length; i++) {
    const cell = data[i]
    if (typeof cell === 'number') values[start + i] = cell
    else if (typeof cell === 'bigint' || typeof cell === 'boolean') values[start + i] = Number(cell)
  }
  const dayOf = clock?.dayOf
  if (dayOf) for (let at = start; at < start + data.length; at++) values[at] = dayOf(values[at]!)
}

async function openCsv(path: string, bytes: number): Promise<SourceFile> {
  const name = basename(path)
  const encoding = await encodingOf(path)
  const head = await firstLine(path, encoding)
  if (head.trimEnd().includes('\r')) throw new ImportFileError('schema', `文件 ${name} 以 CR（旧 Mac）换行，请另存为 LF 或 CRLF 换行的 CSV`)
  // Commas between its columns would be those of decimals.
  if (head.split(';').length > 2 && !/[,\t]/.test(head))
    throw new ImportFileError('schema', `文件 ${name} 的列以分号分隔，请另存为以逗号分隔的 CSV`)
  const delimiter = head.includes('\t') && !head.includes(',') ? '\t' : ','
  const columns = headerOf(name, head, delimiter)
  return {
    path,
    name,
    bytes,
    columns,
    async read(wanted) {
      const places = wanted.map((column) => columns.indexOf(column))
      const values = wanted.map(() => [] as (string | null)[])
      const decoder = new TextDecoder(encoding, { fatal: true })
      const parser = parse({
        bom: true,
        delimiter,
        // Files that are written on one system and appended to on another have both ends of lines.
        record_delimiter: ['\r\n', '\n'],
        from_line: 2,
        skip_empty_lines: true,
        relax_column_count: false,
        relax_quotes: true,
        trim: true,
      })
      const reading = (async () => {
        for await (const record of parser as AsyncIterable<string[]>) {
          // Files that are appended to by scripts repeat their header line.
          if (record[0]?.trim() === columns[0] && record.every((cell, k) => cell.trim() === columns[k])) continue
          places.forEach((place, k) => {
            const cell = record[place]
            values[k]!.push(cell === undefined || (cell.length <= longestEmpty && isEmpty(cell)) ? null : cell)
          })
        }
      })()
      try {
        for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
          if (!parser.write(decoder.decode(part as Buffer, { stream: true }))) await Promise.race([once(parser, 'drain'), reading])
        }
        parser.end(decoder.decode())
        await reading
      } catch (error) {
        parser.destroy()
        await reading.catch(() => {})
        throw csvFault(name, error)
      }
      const made = new Map(wanted.map((column, k): [string, RawColumn] => [column, { kind: 'text', values: values[k]! }]))
      return { rows: values[0]?.length ?? 0, columns: made }
    },
  }
}

function headerOf(name: string, head: string, delimiter: string): string[] {
  if (head.trim() === '') return ['']
  try {
    const cells = (parseNow(head, { delimiter, relax_quotes: true, trim: true })[0] ?? []) as string[]
    return cells.map((cell) => cell.trim())
  } catch (error) {
    throw csvFault(name, error)
  }
}

const once = (emitter: { once(event: string, listener: () => void): unknown }, event: string): Promise<void> =>
  new Promise((resolve) => emitter.once(event, resolve))

function csvFault(name: string, error: unknown): ImportFileError {
  if (error instanceof TypeError) return new ImportFileError('encoding', `文件 ${name} 的编码既不是 UTF-8 也不是 GBK，或中途改变`)
  const { code, message, lines } = error as { code?: string; message: string; lines?: number }
  if (code === undefined || isOfSystem(error)) throw error
  const where = lines === undefined ? '' : `第 ${lines} 行`
  if (code.includes('RECORD') || code.includes('COLUMNS')) {
    return new ImportFileError('truncated', `文件 ${name} ${where}的列数与表头不一致，文件可能不完整`)
  }
  if (code.includes('QUOTE')) return new ImportFileError('truncated', `文件 ${name} ${where}的引号没有闭合，文件可能不完整`)
  return new ImportFileError('schema', `文件 ${name} 无法解析：${message}`)
}

/** UTF-8 when the whole file is; GBK (as GB 18030) otherwise. */
async function encodingOf(path: string): Promise<'utf-8' | 'gb18030'> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let head = ''
  try {
    for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) {
      const text = decoder.decode(part as Buffer, { stream: true })
      if (head === '') head = text.slice(0, headLength)
    }
    decoder.decode()
    return isTwinOfGbk(head) ? 'gb18030' : 'utf-8'
  } catch (error) {
    if (isOfSystem(error)) throw error
    return 'gb18030'
  }
}
const headLength = 1 << 16

/**
 * Some pairs of GBK are letters of UTF-8, 元 is `Ԫ`. A Chinese file whose only letters beyond ASCII are such is none of UTF-8. Blanks that
 * do not break come out of web pages; as GBK they would be a character that nobody writes.
 */
function isTwinOfGbk(text: string): boolean {
  const letters = text.match(/[^\0-\x7f\u00a0]/g)
  if (letters === null || letters.some((letter) => letter > '\u07ff')) return false
  return /^\p{Script=Han}+$/u.test(new TextDecoder('gb18030').decode(Buffer.from(letters.join(''))))
}

async function firstLine(path: string, encoding: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1 << 16), 0, 1 << 16, 0)
    const text = new TextDecoder(encoding).decode(buffer.subarray(0, bytesRead)).replace(/^\uFEFF/, '')
    return text.split(/\r?\n/, 1)[0] ?? ''
  } finally {
    await file.close()
  }
}
