/**
 * How a made-up market is written: every choice that a vendor, a script or a spreadsheet may have made. A shape says beforehand, from the
 * rules of reading alone, what the product must make of it (`expectation.ts`).
 */
import type { Random } from '../../src/market/demo/random.ts'
import { type BesideTables, chooseBeside } from './beside-tables.ts'
import { columnUnits, emptyTexts, type Unit } from './cell-writings.ts'
import { type CodeWriting, codeTexts } from './code-writings.ts'
import { type DateWriting, dateNumbers, dateTexts, dateTypes } from './date-writings.ts'
import { chooseTable, type DividendTable } from './dividend-table.ts'
import type { CsvStyle } from './encode.ts'
import type { Kind, Telling } from './truth.ts'

type Prices = 'raw' | 'qfq' | 'hfq'
/** How a source writes the day of a suspended security. */
type Idle = 'no row' | 'flag' | 'zero volume' | 'empty volume' | 'tiny volume'
/** What is wrong with one row or one file, on purpose. */
export type Slip =
  | 'none'
  | 'equal double'
  | 'different double'
  | 'unreadable number'
  | 'foreign unit'
  | 'unreadable date'
  | 'unreadable code'
  | 'empty listed'
  | 'unknown flag'
  | 'unknown rating'
  | 'day outside'
  | 'unreadable dates'
  | 'unreadable codes'
  | 'level slip'
  | 'level step'

export interface Shape {
  readonly kind: Kind
  readonly isParquet: boolean
  readonly style: CsvStyle
  readonly dates: readonly DateWriting[]
  readonly codes: readonly CodeWriting[]
  readonly fields: readonly string[]
  readonly units: Readonly<Record<string, Unit>>
  readonly numbers: 'plain' | 'commas' | 'scientific' | 'units in cells'
  /** Texts that say nothing. */
  readonly empty: readonly string[]
  readonly headers: 'plain' | 'words' | 'quoted'
  readonly flags: 'digits' | 'words'
  readonly idle: Idle
  readonly hasTraded: boolean
  readonly hasListed: boolean
  readonly hasNames: boolean
  /** Some rows are there twice, and `update_flag` says which of the two is the correction. */
  readonly hasVersions: boolean
  readonly order: 'days' | 'days backwards' | 'codes' | 'any'
  readonly files: 'one' | 'by days' | 'by codes' | 'by rows'
  readonly repeatsHeader: boolean
  /** The level of prices, and the decimals that they are written with; null: all digits. */
  readonly prices: Prices
  readonly digits: 2 | 3 | 4 | null
  readonly factors: 'every day' | 'days of change' | 'gaps'
  /** A field that the source gives on some days only, and for how many trading days each counts. */
  readonly holds: { readonly field: string; readonly days: number } | null
  /** A table of dividends beside the file. */
  readonly dividends: DividendTable | null
  /** Tables beside the file of what its companies published, and of who is listed. */
  readonly beside: BesideTables | null
  /** A preset that reads the file without a mapping. */
  readonly preset: PresetName | null
  readonly slip: Slip
  readonly telling: Telling
}

/** Files whose columns are known by their names: the headers of a preset, its fields with their units, and whether it has flags. */
export interface PresetFile {
  readonly kind: Kind
  readonly headers: Readonly<Record<string, string>>
  readonly units: Readonly<Record<string, Unit>>
}
export type PresetName = 'stk-tushare' | 'stk-baostock' | 'cb-panel'

const percent: Unit = { unit: '%', point: 2 }
const prices = { close: 'close', open: 'open', high: 'high', low: 'low' }
export const presetFiles: Readonly<Record<PresetName, PresetFile>> = {
  'stk-tushare': {
    kind: 'stk',
    headers: {
      code: 'ts_code',
      date: 'trade_date',
      ...prices,
      pre_close: 'pre_close',
      vol: 'vol',
      amount: 'amount',
      adj_factor: 'adj_factor',
    },
    units: { vol: { unit: '手', point: -2 }, amount: { unit: '千元', point: 1 } },
  },
  'stk-baostock': {
    kind: 'stk',
    headers: {
      ...{ code: 'ts_code', date: 'trade_date', traded: 'tradestatus', ...prices, pre_close: 'preclose', vol: 'volume', amount: 'amount' },
      ...{ turnover: 'turn', adj_factor: 'adj_factor', pe_ttm: 'peTTM', pb: 'pbMRQ', ps_ttm: 'psTTM', is_st: 'isST' },
    },
    units: { vol: { unit: '股', point: 0 }, amount: { unit: '元', point: 4 }, turnover: percent },
  },
  'cb-panel': {
    kind: 'cb',
    headers: {
      ...{ code: 'ts_code', date: 'trade_date', name: 'bond_short_name', stock_code: 'stk_cd', listed: 'is_listed', traded: 'is_traded' },
      ...{ close: 'close', open: 'open', close_stk: 'stock_price', conv_price: 'conv_price', conv_value: 'conv_value' },
      ...{ conv_prem: 'conv_prem_pct', ytm: 'ytm_pct', turnover: 'turnover_pct', amount: 'amount_wan', remain_size: 'remain_yi' },
      ...{ left_years: 'left_years', rating: 'rating' },
    },
    units: {
      conv_prem: percent,
      ytm: percent,
      turnover: percent,
      amount: { unit: '万元', point: 0 },
      remain_size: { unit: '亿元', point: 0 },
    },
  },
}
const aboutRow = new Set(['code', 'date', 'name', 'stock_code', 'listed', 'traded'])

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!
const some = <T>(random: Random, list: readonly T[], most: number): T[] =>
  Array.from({ length: random.whole(1, most) }, () => one(random, list))

const optional: Readonly<Record<Kind, readonly string[]>> = {
  stk: ['turnover', 'total_mv', 'circ_mv', 'pe_ttm', 'pb', 'dv_ratio', 'total_share', 'is_st'],
  cb: ['pre_close', 'conv_value', 'conv_prem', 'ytm', 'remain_size', 'left_years', 'rating', 'is_st_stk'],
}

const rowSlips: readonly Slip[] = [
  'equal double',
  'different double',
  'unreadable number',
  'foreign unit',
  'unreadable date',
  'unreadable code',
]
const fileSlips: readonly Slip[] = ['unknown flag', 'unknown rating', 'day outside', 'unreadable dates', 'unreadable codes']
const levelSlips: readonly Slip[] = ['level slip', 'level step']

/** Slips that cost rows, which must not be more than half a percent of them. */
export const isOfRow = (slip: Slip): boolean => rowSlips.includes(slip) || levelSlips.includes(slip) || slip === 'empty listed'

export function chooseShape(random: Random): Shape {
  // A shape that departs from a plain one in few ways tells what a fault is about; one that departs in all finds what two ways do together.
  const strangeness = random.pick([
    [0.12, 2],
    [0.4, 1],
    [1, 1],
  ])
  const odd = <T>(plain: T, choose: () => T): T => (random.chance(strangeness) ? choose() : plain)
  const kind: Kind = random.chance(0.6) ? 'stk' : 'cb'
  const isParquet = odd(false, () => random.chance(0.4))
  const slip = odd<Slip>('none', () => chooseSlip(random, kind))
  const hasVolume = random.chance(0.8) || kind === 'stk'
  const hasFactor = kind === 'stk' && random.chance(0.6)
  const hasPreClose = kind === 'stk' && random.chance(0.6)
  const hasTraded = odd(false, () => random.chance(0.4))
  const hasListed = slip === 'empty listed' || odd(false, () => random.chance(0.3))
  const idle = odd<Idle>('no row', () => chooseIdle(random, { kind, hasTraded, hasVolume }))
  const fields = [
    ...['close', 'open'],
    ...(kind === 'stk' ? ['high', 'low'] : ['conv_price', 'close_stk']),
    ...(hasVolume ? ['vol', 'amount'] : []),
    ...(hasPreClose ? ['pre_close'] : []),
    ...(hasFactor ? ['adj_factor'] : []),
    ...optional[kind].filter(() => random.chance(0.45)),
    ...(slip === 'unknown rating' ? ['rating'] : []),
  ]
  const plain: Unit = { unit: null, point: 0 }
  const level = kind === 'stk' && !levelSlips.includes(slip) ? odd<Prices>('raw', () => one(random, ['raw', 'qfq', 'hfq'] as const)) : 'raw'
  const hasExDays = (hasFactor || hasPreClose) && odd(false, () => random.chance(0.7))
  const holds = odd(null, () => (random.chance(0.2) ? chooseHolds(random, fields) : null))
  const shape: Shape = {
    kind,
    isParquet,
    style: {
      encoding: odd('utf-8', () => one(random, ['utf-8', 'utf-8 with BOM', 'gbk'] as const)),
      lineEnd: odd('\n', () => one(random, ['\n', '\r\n'] as const)),
      isQuoted: odd(false, () => random.chance(0.3)),
      endsWithLineEnd: odd(true, () => random.chance(0.7)),
    },
    dates: odd([dateTexts[0]!], () => chooseDates(random, isParquet)),
    codes: odd([codeTexts[0]!], () => (random.chance(0.7) ? [one(random, codeTexts)] : some(random, codeTexts, 4))),
    fields: [...new Set(fields)],
    units: Object.fromEntries(fields.map((field) => [field, odd(plain, () => one(random, columnUnits[kind][field] ?? [plain]))])),
    numbers: odd('plain', () => one(random, ['plain', 'commas', 'scientific', 'units in cells', 'units in cells'] as const)),
    empty: odd([''], () => emptyTexts),
    headers: odd('plain', () => one(random, ['plain', 'words', 'words', 'quoted'] as const)),
    idle,
    hasTraded: hasTraded || (slip === 'unknown flag' && !hasListed),
    hasListed,
    hasNames: random.chance(0.6),
    hasVersions: slip === 'none' && odd(false, () => random.chance(0.15)),
    order: odd('days', () => one(random, ['days', 'days backwards', 'codes', 'any'] as const)),
    files: odd('one', () => one(random, ['by days', 'by codes', 'by rows'] as const)),
    repeatsHeader: !isParquet && odd(false, () => random.chance(0.2)),
    flags: odd('digits', () => 'words' as const),
    prices: level,
    digits: level === 'raw' ? (kind === 'cb' ? 3 : 2) : one(random, [2, 4, null] as const),
    factors:
      level === 'raw' && hasFactor ? odd('every day', () => one(random, ['every day', 'days of change', 'gaps'] as const)) : 'every day',
    holds,
    dividends: hasExDays && level === 'raw' && slip === 'none' ? odd(null, () => (random.chance(0.5) ? chooseTable(random) : null)) : null,
    beside: kind === 'stk' && slip === 'none' ? odd(null, () => (random.chance(0.4) ? chooseBeside(random) : null)) : null,
    preset: null,
    slip,
    telling: {
      kind,
      hasIdleRows: idle !== 'no row',
      hasExDays,
      endsAfter: random.whole(20, 30),
      hasLateStarts: slip === 'none' && odd(false, () => random.chance(0.6)),
      hasEnds: slip === 'none' && odd(false, () => random.chance(0.5)),
      // A file that says who is listed says it on every day.
      hasPauses: slip === 'none' && !hasListed && odd(false, () => random.chance(0.4)),
      leastRows: isOfRow(slip) ? 480 : 0,
      factorDigits: 6,
    },
  }
  const preset = odd(null, () => one(random, [null, ...(Object.keys(presetFiles) as PresetName[])]))
  return withPossibleList(
    preset !== null && presetFiles[preset].kind === kind && level === 'raw' && holds === null && slip === 'none'
      ? ofPreset(shape, preset)
      : shape,
  )
}

/** A list cuts rows off where nothing else of the source hangs on them, and where the file does not say itself who is listed. */
function withPossibleList(shape: Shape): Shape {
  const { beside, hasListed, dividends, prices, factors, holds, telling } = shape
  const isAble = !hasListed && dividends === null && prices === 'raw' && factors === 'every day' && holds === null && !telling.hasExDays
  return beside?.list === 'late' && !isAble ? { ...shape, beside: { ...beside, list: 'plain' } } : shape
}

/** The shape in the columns, units and flags that a preset knows. */
function ofPreset(shape: Shape, name: PresetName): Shape {
  const { headers, units } = presetFiles[name]
  const plain: Unit = { unit: null, point: 0 }
  const fields = Object.keys(headers).filter((key) => !aboutRow.has(key))
  const has = (key: string) => key in headers
  const idle = shape.idle === 'no row' ? 'no row' : has('traded') ? 'flag' : 'zero volume'
  return {
    ...shape,
    ...{
      preset: name,
      hasVersions: false,
      headers: 'plain',
      fields,
      idle,
      hasTraded: has('traded'),
      hasListed: has('listed'),
      hasNames: has('name'),
    },
    units: Object.fromEntries(fields.map((field) => [field, units[field] ?? plain])),
    // A preset has no keys of a mapping.
    factors: shape.factors === 'days of change' && !has('pre_close') ? 'every day' : shape.factors,
    telling: {
      ...shape.telling,
      hasPauses: false,
      hasExDays: shape.telling.hasExDays && shape.kind === 'stk',
      hasEnds: shape.telling.hasEnds && has('listed'),
    },
  }
}

function chooseHolds(random: Random, fields: readonly string[]): Shape['holds'] {
  const able = fields.filter((field) => ['total_share', 'dv_ratio', 'circ_mv', 'ytm', 'remain_size'].includes(field))
  return able.length === 0 ? null : { field: one(random, able), days: random.whole(1, 12) }
}

function chooseIdle(random: Random, { kind, hasTraded, hasVolume }: { kind: Kind; hasTraded: boolean; hasVolume: boolean }): Idle {
  if (random.chance(0.2)) return 'no row'
  if (hasTraded && random.chance(0.6)) return 'flag'
  if (!hasVolume) return 'no row'
  return one(random, ['zero volume', 'empty volume', kind === 'stk' ? 'tiny volume' : 'zero volume'] as const)
}

function chooseSlip(random: Random, kind: Kind): Slip {
  if (random.chance(0.3)) return 'none'
  const slip = one(random, random.chance(0.5) ? [...rowSlips, 'empty listed' as const] : random.chance(0.75) ? fileSlips : levelSlips)
  // Bonds had no limits for long, and shares have no ratings.
  if (levelSlips.includes(slip) && kind === 'cb') return 'none'
  return slip === 'unknown rating' && kind === 'stk' ? 'none' : slip
}

function chooseDates(random: Random, isParquet: boolean): DateWriting[] {
  if (isParquet) return [one(random, random.chance(0.6) ? dateTypes : random.chance(0.6) ? dateNumbers : dateTexts)]
  return random.chance(0.75) ? [one(random, random.chance(0.8) ? dateTexts : dateNumbers)] : some(random, dateTexts, 4)
}

/** The choices in words, to find the cause of a fault. */
export function shapeText(shape: Shape): string {
  const { kind, isParquet, style, dates, codes, fields, units, numbers, empty, headers, flags, idle, order, files, slip, telling } = shape
  const told = fields.map((field) => (units[field]?.unit ? `${field}[${units[field].unit}]` : field))
  return [
    kind,
    isParquet ? 'Parquet' : `CSV ${style.encoding}${style.isQuoted ? ' quoted' : ''}`,
    `dates ${dates.map(({ name }) => name).join(' | ')}`,
    `codes ${codes.map(({ name }) => name).join(' | ')}`,
    `numbers ${numbers}`,
    ...(empty.length > 1 ? ['empty in words'] : []),
    `headers ${headers}`,
    `flags ${flags}`,
    `suspended: ${idle}`,
    ...(shape.hasTraded ? ['traded'] : []),
    ...(shape.hasListed ? ['listed'] : []),
    ...(shape.hasNames ? ['names'] : []),
    ...(shape.hasVersions ? ['update_flag'] : []),
    `order ${order}`,
    `files ${files}`,
    ...(shape.repeatsHeader ? ['header repeated'] : []),
    ...(telling.hasExDays ? ['ex-days'] : []),
    ...(telling.hasLateStarts ? ['late starts'] : []),
    ...(telling.hasEnds ? [`ends after ${telling.endsAfter}`] : []),
    ...(shape.prices === 'raw' ? [] : [`${shape.prices} in ${shape.digits ?? 'all'} digits`]),
    ...(shape.factors === 'every day' ? [] : [`factors ${shape.factors}`]),
    ...(shape.holds ? [`${shape.holds.field} holds ${shape.holds.days}`] : []),
    ...(shape.dividends ? [`dividends ${shape.dividends.plans}: ${shape.dividends.dates.map(({ name }) => name).join(' | ')}`] : []),
    ...(shape.beside?.hasStatements ? [`statements in ${shape.beside.sums}`] : []),
    ...(shape.beside?.hasList ? [`${shape.beside.list} list of shares`] : []),
    ...(shape.preset ? [`preset ${shape.preset}`] : []),
    `slip ${slip}`,
    `fields ${told.join(' ')}`,
  ].join('; ')
}
