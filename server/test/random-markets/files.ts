/** Lines as the files of a shape, and the mapping that goes with them. */
import type { Random } from '../../src/market/demo/random.ts'
import { csvBytes, type ParquetColumn, parquetBytes, type WrittenFile } from './encode.ts'
import type { Line } from './lines.ts'
import { presetFiles, type Shape } from './shape.ts'
import type { Truth } from './truth.ts'

/** The names of the columns in the files, by key. */
export type Headers = Readonly<Record<string, string>>

const headerWords: Readonly<Record<string, readonly string[]>> = {
  code: ['ts_code', '代码', '证券代码', 'code'],
  date: ['trade_date', '日期', '交易日期', 'date'],
  name: ['name', '名称', '证券简称'],
  stock_code: ['stk_cd', '正股代码'],
  traded: ['tradestatus', '交易状态'],
  listed: ['is_listed', '上市状态'],
  close: ['close', '收盘价', '收盘'],
  amount: ['amount', '成交额', '成交金额'],
}
const quotedHeaders: Readonly<Record<string, string>> = { close: 'close, 元', amount: '成交额(元, 万元)', vol: '成交量"股"' }

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!

export function chooseHeaders(random: Random, shape: Shape): Headers {
  const { fields, hasNames, hasTraded, hasListed, kind } = shape
  if (shape.preset !== null) return presetFiles[shape.preset].headers
  const keys = ['code', 'date', ...(hasNames ? ['name'] : []), ...(kind === 'cb' ? ['stock_code'] : [])]
  const flags = [...(hasTraded ? ['traded'] : []), ...(hasListed ? ['listed'] : []), ...(shape.hasVersions ? ['update_flag'] : [])]
  const all = [...keys, ...flags, ...fields]
  const plain = (key: string) => headerWords[key]?.[0] ?? key
  return Object.fromEntries(
    all.map((key) => {
      if (shape.headers === 'quoted') return [key, quotedHeaders[key] ?? plain(key)]
      return [key, shape.headers === 'words' ? one(random, headerWords[key] ?? [key]) : plain(key)]
    }),
  )
}

/** Null where a preset reads the file. */
export function mappingOf(headers: Headers, shape: Shape): object | null {
  const { fields, units, hasNames, hasTraded, hasListed, kind, telling, prices, factors, holds } = shape
  if (shape.preset !== null) return null
  const heldFor = (field: string): number | null => {
    if (field === holds?.field) return holds.days
    // Without a previous close only this says that an empty factor is no news.
    return field === 'adj_factor' && factors === 'days of change' && !fields.includes('pre_close') ? 2_500 : null
  }
  return {
    code: headers['code'],
    date: headers['date'],
    ...(hasNames && { name: headers['name'] }),
    ...(kind === 'cb' && { stock_code: headers['stock_code'] }),
    ...(hasTraded && { traded: headers['traded'] }),
    ...(hasListed && { listed: headers['listed'] }),
    ...(telling.hasEnds && kind === 'stk' && !hasListed && { ends_after: telling.endsAfter }),
    ...(prices !== 'raw' && { adjust: prices }),
    fields: Object.fromEntries(
      fields.map((field) => {
        const unit = units[field]?.unit ?? null
        const days = heldFor(field)
        const more = { ...(unit !== null && { unit }), ...(days !== null && { holds: days }) }
        return [field, Object.keys(more).length === 0 ? headers[field] : { column: headers[field], ...more }]
      }),
    ),
  }
}

/** Some lines as files: all that an import, or one update, is given. */
export function writeFiles(
  random: Random,
  shape: Shape,
  truth: Truth,
  headers: Headers,
  lines: readonly Line[],
  stem: string,
): WrittenFile[] {
  const parts = cutIntoFiles(random, shape, ordered(random, shape, lines))
  const extension = shape.isParquet ? 'parquet' : 'csv'
  // Names do not follow the days.
  const names = parts.map((_, k) => `${stem}-${parts.length > 1 ? one(random, ['z', 'm', 'a']) : ''}${k}.${extension}`)
  return parts.map((part, k) => ({
    name: names[k]!,
    bytes: shape.isParquet ? parquetOf(random, shape, truth, headers, part) : csvOf(random, shape, headers, part),
  }))
}

function ordered(random: Random, { order }: Shape, lines: readonly Line[]): readonly Line[] {
  if (order === 'codes') return lines
  const sorted = lines.toSorted((a, b) => a.t - b.t || a.i - b.i)
  if (order === 'days') return sorted
  if (order === 'days backwards') return sorted.toReversed()
  const keyed = lines.map((line) => ({ line, key: random.uniform() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ line }) => line)
}

function cutIntoFiles(random: Random, { files }: Shape, lines: readonly Line[]): (readonly Line[])[] {
  if (files === 'one') return [lines]
  const count = random.whole(2, 3)
  const most = 1 + Math.max(...lines.map(({ t, i }) => (files === 'by days' ? t : i)))
  const partOf = ({ t, i }: Line) =>
    files === 'by rows' ? random.whole(0, count - 1) : Math.floor(((files === 'by days' ? t : i) * count) / most)
  const parts = Array.from({ length: count }, (): Line[] => [])
  for (const line of lines) parts[partOf(line)]!.push(line)
  return parts.filter((part) => part.length > 0)
}

function shuffledKeys(random: Random, headers: Headers): string[] {
  return Object.keys(headers)
    .map((key) => ({ key, at: random.uniform() }))
    .sort((a, b) => a.at - b.at)
    .map(({ key }) => key)
}

function csvOf(random: Random, { style, codes, repeatsHeader }: Shape, headers: Headers, lines: readonly Line[]): Uint8Array {
  const keys = shuffledKeys(random, headers)
  // A column that nobody asked for.
  const extra = random.chance(0.3)
  const header = [...keys.map((key) => headers[key]!), ...(extra ? ['备注'] : [])]
  const rows = lines.map(({ cells }) => [...keys.map((key) => cells[key] ?? ''), ...(extra ? ['无, "注"'] : [])])
  const bare = codes.some(({ isBare }) => isBare) ? new Set([keys.indexOf('code')]) : undefined
  if (repeatsHeader) for (let k = random.whole(1, 2); k > 0; k--) rows.splice(random.whole(0, rows.length), 0, header)
  return csvBytes(header, rows, style, bare)
}

/** Numbers and flags of Parquet are what they are where every cell can be; dates have the type of their writing. */
function parquetOf(random: Random, shape: Shape, truth: Truth, headers: Headers, lines: readonly Line[]): Uint8Array {
  const [date] = shape.dates
  const columns = shuffledKeys(random, headers).map((key): ParquetColumn => {
    const name = headers[key]!
    const texts = lines.map(({ cells }) => cells[key] ?? '')
    if (key === 'date' && date?.parquet) {
      const { type, value } = date.parquet
      const days = new Map(truth.days.map((day) => [date.text(day), day]))
      const dayOf = (text: string) => days.get(text) ?? (text === date.text('2041-01-02') ? '2041-01-02' : null)
      if (shape.slip !== 'unreadable dates')
        return { name, type, cells: texts.map((text) => (dayOf(text) === null ? null : value(dayOf(text)!))) }
    }
    if ((key === 'traded' || key === 'listed') && shape.flags === 'digits' && texts.every((text) => text === '0' || text === '1'))
      return { name, type: 'BOOLEAN', cells: texts.map((text) => text === '1') }
    if (key === 'code' && texts.every((text) => /^\d{1,6}$/.test(text))) return { name, type: 'INT64', cells: texts.map(BigInt) }
    const isNumeric = !['code', 'date', 'name', 'stock_code', 'rating'].includes(key) && texts.every((text) => numeric(text) !== null)
    if (!isNumeric) return { name, type: 'STRING', cells: texts.map((text) => (text === '' ? null : text)) }
    return { name, type: 'DOUBLE', cells: texts.map((text) => numeric(text)) }
  })
  return parquetBytes(columns, random.chance(0.3) ? 50 : 1_000)
}

/** The number of a text that is one and nothing else; NaN of one that says nothing; null of all others. */
function numeric(text: string): number | null {
  if (['', ' ', '-', '--', '—', 'nan', 'NaN', 'null', 'NULL', 'None', 'N/A', 'NaT'].includes(text)) return Number.NaN
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : null
}
