/** Reads files of one mapping as rows: each cell by the one reader of its kind (cells/). */
import { shown } from '@convexa/contract'
import type { Finding } from '../../db/tables/quality.ts'
import { saysNothing } from '../cell-filling.ts'
import type { SnapshotKind } from '../manifest.ts'
import { homeOf, readCode, readIndex } from './cells/code.ts'
import { type DayRead, readDay } from './cells/day.ts'
import { readWord, wordsOf } from './cells/enumeration.ts'
import { type FlagKind, readFlag } from './cells/flag.ts'
import { readNumber, readNumbers } from './cells/number.ts'
import { readName, readText } from './cells/text.ts'
import { readVersion } from './cells/version.ts'
import { firstDay, lastDay } from './day-range.ts'
import { flagFields, type Mapping, type Reading, readingsOf } from './mapping.ts'
import { settleTrades } from './no-trade.ts'
import type { Preset } from './presets.ts'
import { columnsOf } from './presets.ts'
import type { CellFault, Dated, Rows } from './rows.ts'
import { ImportFileError, type RawColumn, type SourceFile } from './source-file.ts'
import { StrangeWords } from './strange-words.ts'
import { withoutOlder } from './versions.ts'

export async function readRows(
  kind: SnapshotKind,
  files: readonly SourceFile[],
  mapping: Mapping,
  preset: Preset | null,
  onProgress: (file: string) => void,
): Promise<Rows> {
  const readings = readingsOf(kind, mapping)
  if (!readings.some(({ field }) => field.key === 'close')) throw new ImportFileError('mapping', '映射缺少收盘价：fields 里需有 close')
  const wanted = columnsOf(mapping)
  const parts: { file: SourceFile; rows: number; columns: Map<string, RawColumn> }[] = []
  for (const file of files) {
    const missing = wanted.filter((column) => !file.columns.includes(column))
    if (missing.length > 0) throw new ImportFileError('schema', `文件 ${file.name} 缺少列：${missing.join('、')}`)
    onProgress(file.name)
    const versions = file.columns.includes(versionColumn) ? [versionColumn] : []
    parts.push({ file, ...(await file.read([...new Set([...wanted, ...versions])])) })
  }
  const count = parts.reduce((sum, part) => sum + part.rows, 0)
  if (count === 0) throw new ImportFileError('truncated', `文件 ${files.map((file) => file.name).join('、')} 没有数据行`)
  const starts: number[] = []
  parts.reduce((start, part) => {
    starts.push(start)
    return start + part.rows
  }, 0)
  const partOf = (row: number) => starts.findLastIndex((start) => start <= row)
  const cellAt = (column: string, row: number) => textAt(parts[partOf(row)]!.columns.get(column), row - starts[partOf(row)]!)
  const placeIn = (row: number) => `${parts[partOf(row)]!.file.name} 第 ${row - starts[partOf(row)]! + 1} 条`

  const codes = codeReader(kind, preset)
  const days = dayReader()
  const code = new Int32Array(count).fill(-1)
  const date = new Int32Array(count).fill(-1)
  const fields = new Map(readings.map(({ field }) => [field.key, new Float64Array(count).fill(Number.NaN)]))
  const listed = mapping.listed === undefined ? null : new Float64Array(count).fill(Number.NaN)
  const traded = mapping.traded === undefined ? null : new Float64Array(count).fill(Number.NaN)
  const versions = parts.some(({ columns }) => columns.has(versionColumn)) ? new Float64Array(count) : null
  const unreadable = new Map<number, CellFault>()
  const strange = new StrangeWords()
  const textColumns = { name: mapping.name, stock_code: mapping.stock_code, stock_name: mapping.stock_name, ...mapping.attributes }
  const texts = new Map<string, (Newest | undefined)[]>()

  parts.forEach(({ rows, columns }, k) => {
    const start = starts[k]!
    const column = (name: string): RawColumn => columns.get(name) ?? { kind: 'number', values: new Float64Array(rows).fill(Number.NaN) }
    const fault = (name: string) => (row: number) => {
      if (!unreadable.has(row)) unreadable.set(row, { column: name, text: cellAt(name, row) })
    }
    readEach(column(mapping.code), rows, (raw, i) => {
      code[start + i] = codes.place(raw)
    })
    const dates = column(mapping.date)
    const isDays = dates.kind === 'number' && dates.isDays === true
    readEach(dates, rows, (raw, i) => {
      date[start + i] = days.place(raw, isDays)
    })
    for (const reading of readings)
      readField(reading, column(reading.column), fields.get(reading.field.key)!, start, fault(reading.column), strange)
    if (mapping.listed !== undefined) readFlags(mapping.listed, column(mapping.listed), listed!, start, 'state', strange)
    if (mapping.traded !== undefined) readFlags(mapping.traded, column(mapping.traded), traded!, start, 'state', strange)
    if (versions)
      readEach(column(versionColumn), rows, (raw, i) => {
        const version = readVersion(raw)
        versions[start + i] = version ?? 0
        if (version === null) fault(versionColumn)(start + i)
      })
    for (const [key, name] of Object.entries(textColumns)) {
      if (name === undefined) continue
      const known = texts.get(key) ?? []
      texts.set(key, known)
      const readOf = kind !== 'index' && ofNames.has(key) ? readName : readText
      readEach(column(name), rows, (raw, i) => {
        if (raw === null || code[start + i]! < 0 || date[start + i]! < 0) return
        keepNewest(known, code[start + i]!, { raw, date: days.list[date[start + i]!]!, version: versions?.[start + i] ?? 0 }, readOf)
      })
    }
  })
  strange.refuse(files)
  refuseUnread(mapping.code, code, '代码', cellAt, placeIn)
  refuseUnread(mapping.date, date, '日期', cellAt, placeIn)
  refuseDays(mapping.date, date, days.list, cellAt, placeIn)
  if (listed) addUnlisted(listed, mapping.listed!, unreadable)

  const read: Rows = {
    ...{ count, code, date, codes: codes.list, dates: days.list, fields, readings, unreadable, texts },
    listed: listed && new Uint8Array(listed.map((flag) => (flag === 0 ? 0 : 1))),
    traded: null,
    findings: [...days.findings(mapping.date), ...strange.findings(), ...withoutDoubt(texts, textColumns, codes.list)],
    whereIs: (row) => {
      const cell = unreadable.get(row) ?? unread(row)
      return `${placeIn(row)}${cell ? `，${cell.column} 列：${cell.text === '' ? '空' : `“${cell.text}”`}` : ''}`
    },
    labelOf: (row) => {
      const raw = (name: string) => cellAt(name, row) || '空'
      const codeText = code[row]! >= 0 ? codes.list[code[row]!]! : raw(mapping.code)
      return `${codeText} ${date[row]! >= 0 ? days.list[date[row]!]! : raw(mapping.date)}`
    },
  }
  const unread = (row: number): CellFault | null => {
    const column = code[row]! < 0 ? mapping.code : date[row]! < 0 ? mapping.date : null
    return column === null ? null : { column, text: cellAt(column, row) }
  }
  return withoutOlder(settleTrades(kind, read, traded), versions)
}

/** What lists nobody knows: such a row can be neither inside nor outside. */
function addUnlisted(listed: Float64Array, column: string, unreadable: Map<number, CellFault>): void {
  for (let row = 0; row < listed.length; row++)
    if (listed[row] !== listed[row] && !unreadable.has(row)) unreadable.set(row, { column, text: '' })
}

const mostShown = 40

/** Where a file says of two rows which one is the correction. */
const versionColumn = 'update_flag'

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

/** The cell as the file writes it, fit for a report; empty: nothing there. */
function textAt(column: RawColumn | undefined, row: number): string {
  const cell = column?.values[row] ?? null
  return cell === null || cell !== cell ? '' : shown(String(cell), mostShown) || '?'
}

function readField(
  reading: Reading,
  column: RawColumn,
  into: Float64Array,
  start: number,
  unreadable: (row: number) => void,
  strange: StrangeWords,
): void {
  const { field, multiply, divide } = reading
  const flag = flagFields[field.key]
  const words = wordsOf(field.key, field.values)
  if (flag !== undefined) readFlags(reading.column, column, into, start, flag, strange, flag === 'flag' ? unreadable : undefined)
  else if (column.kind === 'text') {
    if (words === null) readNumbers(column.values, reading, into, start, unreadable)
    else readWords(reading, column.values, words, into, start, strange)
  } else {
    const { values } = column
    for (let i = 0; i < values.length; i++) {
      let value = values[i]!
      if (multiply !== 1) value *= multiply
      if (divide !== 1) value /= divide
      // An infinite one poisons every sum that it meets.
      if (value - value === 0) into[start + i] = value
      else if (value === value && readNumber(value, reading) === null) unreadable(start + i)
    }
  }
  // Given, and not to be filled from an older one.
  if (field.positive) for (let at = start; at < start + column.values.length; at++) if (into[at]! <= 0) into[at] = saysNothing
}

/** Each writing is read once. */
function readWords(
  { column }: Reading,
  cells: readonly (string | null)[],
  words: ReadonlyMap<string, number>,
  into: Float64Array,
  start: number,
  strange: StrangeWords,
): void {
  const known = new Map<string, number | null>()
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell === null || cell === undefined) continue
    let value = known.get(cell)
    if (value === undefined) known.set(cell, (value = readWord(cell, words)))
    if (value === null) strange.addWord(column, cell)
    else into[start + i] = value
  }
}

function readFlags(
  name: string,
  column: RawColumn,
  into: Float64Array,
  start: number,
  kind: FlagKind,
  strange: StrangeWords,
  unreadable?: (row: number) => void,
): void {
  const known = new Map<string | number | null, number | null>()
  readEach(column, column.values.length, (raw, i) => {
    let value = known.get(raw)
    if (value === undefined) known.set(raw, (value = readFlag(raw, kind)))
    if (value !== null) into[start + i] = value
    else if (unreadable) unreadable(start + i)
    else strange.addFlag(name, String(raw))
  })
}

/** A cell of a text, the day of its row, and how new the row is among those of its day. */
interface TextCell {
  readonly raw: string | number
  readonly date: string
  readonly version: number
}

interface Newest extends Dated {
  raw: string | number
  text: string
  date: string
  version: number
  /** Another text of that day, of a row that is as new. */
  doubt: string | null
}

/** Texts that are names of securities; those of index series are words of other languages, too. */
const ofNames: ReadonlySet<string> = new Set(['name', 'stock_name'])

function keepNewest(known: (Newest | undefined)[], place: number, { raw, date, version }: TextCell, readOf: typeof readText): void {
  const before = known[place]
  if (before !== undefined && isNoNews(before, { raw, date, version })) return
  // Most rows say again what the row before them said.
  if (before?.raw === raw && before.doubt === null) {
    before.date = date
    before.version = version
    return
  }
  const text = readOf(raw)
  if (text === null) return
  if (before?.date !== date || before.version < version) known[place] = { raw, text, date, version, doubt: null }
  else if (text !== before.text) before.doubt = text
}

const isNoNews = (before: Newest, { raw, date, version }: TextCell): boolean =>
  date < before.date || (date === before.date && (version < before.version || (version === before.version && raw === before.raw)))

/** Takes out the texts of which rows of the newest day say two, and says which. */
function withoutDoubt(
  texts: ReadonlyMap<string, (Newest | undefined)[]>,
  columns: Readonly<Record<string, string | undefined>>,
  codes: readonly string[],
): Finding[] {
  const doubtful: string[] = []
  for (const [key, known] of texts) {
    for (const [place, newest] of known.entries()) {
      if (newest === undefined || newest.doubt === null) continue
      const said = [newest.text, newest.doubt].sort().map((text) => `“${shown(text, mostShown)}”`)
      doubtful.push(`${codes[place]} ${newest.date} ${columns[key]} 列：${said.join('、')}`)
      known[place] = undefined
    }
  }
  if (doubtful.length === 0) return []
  const text = '同一代码同一日期的两行文字不同，分不出先后，未采用'
  return [{ check: 'text_contradicts', level: 'warning', count: doubtful.length, text, examples: doubtful.sort().slice(0, 5) }]
}

/** @throws ImportFileError where not one cell of a column of codes or days can be read */
function refuseUnread(
  column: string,
  places: Int32Array,
  what: string,
  cellAt: (column: string, row: number) => string,
  placeIn: (row: number) => string,
): void {
  if (places.some((place) => place >= 0)) return
  const given = places.findIndex((_, row) => cellAt(column, row) !== '')
  const example = given < 0 ? '该列全部为空' : `例如${placeIn(given)}：“${cellAt(column, given)}”`
  throw new ImportFileError(what === '代码' ? 'bad_code' : 'bad_date', `${column} 列没有一个能识别的${what}，${example}`)
}

/** @throws ImportFileError for a day that no market file can have */
function refuseDays(
  column: string,
  date: Int32Array,
  dates: readonly string[],
  cellAt: (column: string, row: number) => string,
  placeIn: (row: number) => string,
): void {
  const last = lastDay()
  const place = dates.findIndex((day) => day < firstDay || day > last)
  if (place < 0) return
  const row = date.indexOf(place)
  throw new ImportFileError(
    'date_range',
    `${column} 列有 ${dates[place]}（${placeIn(row)}：“${cellAt(column, row)}”），不在 1990 年至交易日历的最后一天 ${last} 之内`,
  )
}

/** Each writing of a code is read once. */
function codeReader(kind: SnapshotKind, preset: Preset | null) {
  const list: string[] = []
  const placeOf = new Map<string, number>()
  const known = new Map<string | number, number>()
  const indexOf = (raw: string | number): string | null => {
    const read = readIndex(raw)
    if (read === null) return null
    const { number, exchange } = read
    if (exchange === null || exchange === homeOf(number)) return number
    return preset?.codes?.[`${number}.${exchange}`]?.code ?? `${number}.${exchange.toLowerCase()}`
  }
  return {
    list,
    place(raw: string | number | null): number {
      if (raw === null) return -1
      const before = known.get(raw)
      if (before !== undefined) return before
      const code = preset?.codes?.[String(raw)]?.code ?? (kind === 'index' ? indexOf(raw) : readCode(raw, kind))
      let place = -1
      if (code !== null) {
        place = placeOf.get(code) ?? list.push(code) - 1
        placeOf.set(code, place)
      }
      known.set(raw, place)
      return place
    },
  }
}

/** Each writing of a day is read once. */
function dayReader() {
  const list: string[] = []
  const placeOf = new Map<string, number>()
  const known = new Map<string | number, number>()
  const serials: { cell: string | number; read: DayRead }[] = []
  return {
    list,
    place(raw: string | number | null, isDays: boolean): number {
      if (raw === null) return -1
      const before = known.get(raw)
      if (before !== undefined) return before
      const read = readDay(raw, isDays)
      let place = -1
      if (read !== null) {
        if (read.serial) serials.push({ cell: raw, read })
        place = placeOf.get(read.date) ?? list.push(read.date) - 1
        placeOf.set(read.date, place)
      }
      known.set(raw, place)
      return place
    },
    findings(column: string): Finding[] {
      const first = serials.reduce<(typeof serials)[number] | null>((a, b) => (a && a.read.date <= b.read.date ? a : b), null)
      if (first === null) return []
      return [
        {
          check: 'serial_dates',
          level: 'warning',
          count: serials.length,
          text: `${column} 列按电子表格的日期序号读取`,
          examples: [`${first.cell} 读作 ${first.read.date}`],
        },
      ]
    },
  }
}
