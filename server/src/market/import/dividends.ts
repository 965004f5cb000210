/**
 * Ex-days beside a stock file (除权除息日): one row each, what a share pays in cash and how many new shares it gives. They are known by their
 * columns and make a realistic run pay dividends instead of reinvesting them.
 *
 * 1. A plan is one by share, ex-day and period: of its rows the last published holds, of several the one that agrees with the price. Plans
 *    of one day are paid together.
 * 2. What is paid must agree with what the price did. A table speaks of plans of creditors (重整转增), too, of which holders get nothing.
 * 3. A share of which a record does not agree, of whose rows nothing tells which holds, or whose factor moves on a day without a row (a rights issue, a year that the table lacks),
 *    keeps to its factor on all days: half of its dividends would be worse than none.
 */
import { adjustments } from '@convexa/contract/enums/adjust'
import { type ExDay, type ExPrices, exTradeOf, fitsPayments, namedList, placesByCode, type Security } from '@convexa/engine'
import type { Adjust } from '../manifest.ts'
import type { Arranged } from './arrange.ts'
import { readCode } from './cells/code.ts'
import { readNumber } from './cells/number.ts'
import { asItIs } from './cells/unit.ts'
import { readVersion } from './cells/version.ts'
import { cellsOf, companionFiles, placeOf } from './companion-files.ts'
import { isOnCalendar } from './day-range.ts'
import type { SourceFile } from './source-file.ts'

/** A number a share from the first of these columns that is there; `per`: shares that the column speaks of. */
interface Named {
  readonly columns: readonly string[]
  readonly per: number
}

const codes = ['ts_code', 'code', '证券代码', '股票代码', '代码'] as const
const days = ['ex_date', '除权除息日', '除权日', '除息日'] as const
/** The period that a plan is of, and how far it has come. */
const periods = ['end_date', '报告期', '分红年度'] as const
const stages = ['div_proc', '方案进度', '进度'] as const
/** Of rows of one plan the one with the greater mark, else with the later day, is the last that was published; the first that tells decides. */
const announcements = ['imp_ann_date', 'ann_date'] as const
const versionColumn = 'update_flag'
/** Tushare's names, then per ten shares as announcements have it. */
const cash: readonly Named[] = [
  { columns: ['cash_div_tax', '每股派息'], per: 1 },
  { columns: ['每10股派息', '派息比例', '现金分红-现金分红比例'], per: 10 },
]
const shares: readonly Named[] = [
  { columns: ['stk_div', '每股送转'], per: 1 },
  { columns: ['每10股送转', '送转股份-送转总比例'], per: 10 },
]

const oneOf = (names: readonly string[], columns: readonly string[]): string | undefined => names.find((name) => columns.includes(name))
const hasOne = (named: readonly Named[], columns: readonly string[]): boolean => named.some((each) => oneOf(each.columns, columns))

export const isDividends = (columns: readonly string[]): boolean =>
  oneOf(codes, columns) !== undefined && oneOf(days, columns) !== undefined && (hasOne(cash, columns) || hasOne(shares, columns))

export interface ImportedDividends {
  readonly files: readonly SourceFile[]
  /** Rows taken; rows without a day or without anything that is paid; rows of other securities; plans that were not carried out. */
  readonly taken: number
  readonly faulty: number
  readonly foreign: number
  readonly planned: number
  /** Rows that are not used because a day or an amount cannot be read: where. */
  readonly unreadable: readonly string[]
  /** Securities whose factor moves on days that no row tells of. */
  readonly uncertain: number
  /** Securities whose record does not agree with their prices: code and day. */
  readonly wrong: readonly string[]
  /** Securities with a plan of which rows say different amounts, and neither days nor prices tell which holds: code and day. */
  readonly unsure: readonly string[]
  /** Ex-days that nothing could be held against. */
  readonly unchecked: number
  /** Prices have dividends in them already: nothing was used. */
  readonly isAdjusted: boolean
}

/** What is paid on a day, a share. */
type Payment = Pick<ExDay, 'cash' | 'ratio'>

/** A row of the table: a version of a plan. */
interface Version extends Payment {
  readonly date: string
  /** '' = not told. */
  readonly period: string
  readonly published: readonly [mark: number, ...days: string[]]
}

/** Puts the ex-days that lie with the imported paths to the securities; null where there are none. */
export async function addDividends(table: Arranged, paths: readonly string[], adjust: Adjust): Promise<ImportedDividends | null> {
  const files = await companionFiles(paths, 'dividends', isDividends)
  if (files.length === 0) return null
  const places = placesByCode(table.securities)
  const byPlace = new Map<number, Version[]>()
  const count = { taken: 0, faulty: 0, foreign: 0, planned: 0, uncertain: 0, unchecked: 0 }
  const unreadable: string[] = []
  for (const file of files) {
    for (const { code, version, isPlanned, unread } of await rowsOf(file)) {
      const place = code === null ? undefined : places.get(code)
      if (unread !== null) unreadable.push(unread)
      else if (code === null || (version === null && !isPlanned)) count.faulty++
      else if (place === undefined) count.foreign++
      else if (version === null) count.planned++
      else {
        count.taken++
        const known = byPlace.get(place)
        if (known) known.push(version)
        else byPlace.set(place, [version])
      }
    }
  }
  const [wrong, unsure]: [string[], string[]] = [[], []]
  if (adjustments[adjust].adjusted) return { files, ...count, unreadable, wrong, unsure, isAdjusted: true }
  const prices = pricesOf(table)
  for (const [place, versions] of byPlace) {
    const { exDays: stored = [], ...security } = table.securities[place] as Security
    const { exDays, misfit, doubt, unchecked } = plansOf(prices, place, versions, stored)
    if (misfit === null && doubt === null && !movesUntold(table, place, exDays)) {
      table.securities[place] = { ...security, exDays }
      count.unchecked += unchecked
      continue
    }
    // What an earlier file told of it does not stay without what this one tells.
    table.securities[place] = security
    if (misfit !== null) wrong.push(`${security.code} ${misfit}`)
    else if (doubt !== null) unsure.push(`${security.code} ${doubt}`)
    else count.uncertain++
  }
  return { files, ...count, unreadable, wrong: wrong.sort(), unsure: unsure.sort(), isAdjusted: false }
}

/** How many securities whose record is wrong are named. */
const mostNamed = 20

export function dividendsNote({
  files,
  taken,
  faulty,
  foreign,
  planned,
  unreadable,
  uncertain,
  wrong,
  unsure,
  unchecked,
  isAdjusted,
}: ImportedDividends): string {
  const from = files.map((file) => file.name).join('、')
  if (isAdjusted) return `行情的价格已复权，分红送转已在价格中，未使用 ${from}。`
  const left = [
    unreadable.length > 0 && `${unreadable.length} 行的日期或金额无法识别，未使用（${unreadable[0]}）`,
    faulty > 0 && `${faulty} 行没有除权除息日或没有派息送转，未使用`,
    planned > 0 && `${planned} 行的方案没有实施，未使用`,
    foreign > 0 && `${foreign} 行不属于行情中的证券`,
    wrong.length > 0 && `${wrong.length} 只证券的记录与前收盘价或复权因子不符，仍按复权因子折算（${namedList(wrong, mostNamed)}）`,
    unsure.length > 0 && `${unsure.length} 只证券同一方案的几行金额不同，分不出先后，仍按复权因子折算（${namedList(unsure, mostNamed)}）`,
    uncertain > 0 && `${uncertain} 只证券的复权因子在没有记录的日子有变动（配股或记录不全），仍按复权因子折算`,
    unchecked > 0 && `${unchecked} 个除权除息日没有前收盘价和复权因子可以核对`,
  ].filter((text) => text)
  return `已读入分红送转 ${taken} 行（${from}），真实成交在除权除息日计入现金与股数${left.length > 0 ? `；${left.join('，')}` : ''}。`
}

/** What the amounts are of. */
const yuan = { ...asItIs, unit: { field: '元', column: '元' } }
const units = { ...asItIs, unit: { field: '股', column: '股' } }

/** A row; `unread`: where a day or an amount stands that cannot be read, so that the row is not used. */
interface Row {
  readonly code: string | null
  readonly version: Version | null
  readonly isPlanned: boolean
  readonly unread: string | null
}

async function rowsOf(file: SourceFile): Promise<Row[]> {
  const [code, date] = [oneOf(codes, file.columns)!, oneOf(days, file.columns)!]
  const [period, stage] = [oneOf(periods, file.columns), oneOf(stages, file.columns)]
  const amounts = [...cash, ...shares].flatMap((named) => named.columns)
  const {
    rows,
    cell,
    day: dayIn,
  } = await cellsOf(
    file,
    [code, date, ...[period, stage].filter((one) => one !== undefined), versionColumn, ...announcements, ...amounts],
    (column, day) => column === period || isOnCalendar(day),
  )
  let unread: string | null = null
  const number = (named: readonly Named[], row: number): number => {
    for (const { columns, per } of named) {
      const column = oneOf(columns, file.columns)
      const value = column === undefined ? null : cell(column, row)
      if (value === null) continue
      const read = readNumber(value, named === cash ? yuan : units)
      if (read === null) unread ??= placeOf(file, row, column!, value)
      return (read ?? Number.NaN) / per
    }
    return 0
  }
  const text = (column: string | undefined, row: number): string =>
    column === undefined ? '' : (dayIn(column, row).day ?? String(cell(column, row) ?? '').trim())
  const wrongDay = (row: number): string | null => {
    for (const column of [date, ...announcements]) {
      const { unreadable } = dayIn(column, row)
      if (unreadable !== null) return placeOf(file, row, column, unreadable)
    }
    return null
  }
  return Array.from({ length: rows }, (_, row) => {
    // Of plans that were proposed and never carried out there mostly is no ex-day; where the table says how far one came, it is done or not.
    const { day } = dayIn(date, row)
    unread = wrongDay(row)
    const mark = readVersion(cell(versionColumn, row))
    if (mark === null) unread ??= placeOf(file, row, versionColumn, cell(versionColumn, row))
    const done = text(stage, row)
    const isPlanned = day !== null && done !== '' && !done.startsWith('实施')
    const paid = { cash: number(cash, row), ratio: number(shares, row) }
    const isPaid = paid.cash >= 0 && paid.ratio >= 0 && paid.cash + paid.ratio > 0
    const published: Version['published'] = [mark ?? 0, ...announcements.map((column) => text(column, row))]
    const version = day && isPaid && !isPlanned ? { date: day, ...paid, period: text(period, row), published } : null
    return { code: readCode(cell(code, row), 'stk'), version, isPlanned, unread }
  })
}

function pricesOf({ dates, stride, traded, columns }: Arranged): ExPrices {
  const cells = (key: string) => columns.get(key)?.cells ?? null
  return { dates, stride, traded, close: cells('close') ?? [], previous: cells('pre_close'), factor: cells('adj_factor') }
}

/**
 * What a share pays by day, ascending, with the days that were known of it before and that the file does not tell of. Of payments that
 * the rows of a day can mean the first that agrees with the price is taken; `misfit`: the first day of which none does, `doubt`: of which
 * several do though they are of one plan.
 */
function plansOf(
  prices: ExPrices,
  place: number,
  versions: readonly Version[],
  stored: readonly ExDay[],
): { exDays: ExDay[]; misfit: string | null; doubt: string | null; unchecked: number } {
  const byDate = new Map<string, Meanings>(stored.map((day) => [day.date, { payments: [day], isContradicted: false }]))
  for (const [date, rows] of Map.groupBy(versions, ({ date }) => date)) byDate.set(date, paymentsOf(rows))
  const plans = [...byDate].sort(([a], [b]) => (a < b ? -1 : 1))
  const exDays: ExDay[] = []
  let [misfit, doubt]: [string | null, string | null] = [null, null]
  let unchecked = 0
  for (let k = 0; k < plans.length; ) {
    const trade = exTradeOf(prices, place, plans[k]![0])
    // What went ex while the share was suspended shows in its price together.
    let next = k + 1
    while (trade && next < plans.length && plans[next]![0] <= prices.dates[trade.day]!) next++
    const together = plans.slice(k, next)
    const choices = combinations(together.map(([, { payments }]) => payments))
    const fitting = trade ? choices.filter((payments) => fitsPayments(trade, payments)) : choices
    if (fitting.length === 0) misfit ??= plans[k]![0]
    if (fitting.length > 1) doubt ??= together.find(([, { isContradicted }]) => isContradicted)?.[0] ?? null
    if (trade?.references.length === 0) unchecked += together.length
    const paid = fitting[0] ?? choices[0]!
    exDays.push(...together.map(([date], at) => ({ date, cash: paid[at]!.cash, ratio: paid[at]!.ratio })))
    k = next
  }
  return { exDays, misfit, doubt, unchecked }
}

/** What the rows of a day can mean; `isContradicted`: rows of one plan say different amounts. */
interface Meanings {
  readonly payments: readonly Payment[]
  readonly isContradicted: boolean
}

/**
 * What the rows of a day can mean, the likeliest first: of each period one of its last published rows; rows that name no period all
 * together (told twice they are one), or one of them, or none beside those that do.
 */
function paymentsOf(rows: readonly Version[]): Meanings {
  const plans: Payment[][] = []
  for (const [period, all] of Map.groupBy(rows, ({ period }) => period)) {
    if (period !== '') plans.push(distinct(all.filter((row) => !all.some((other) => isLater(other, row)))))
  }
  const isContradicted = plans.some((payments) => payments.length > 1)
  const loose = distinct(rows.filter(({ period }) => period === '')).sort(ascending)
  if (loose.length > 0) {
    const nothing = plans.length > 0 ? [{ cash: 0, ratio: 0 }] : []
    plans.push(distinct([sum(loose), ...loose, sum(rows.filter(({ period }) => period === '')), ...nothing]))
  }
  return { payments: distinct(combinations(plans).map(sum)), isContradicted }
}

function isLater(one: Version, other: Version): boolean {
  const k = one.published.findIndex((text, at) => text !== other.published[at])
  return k >= 0 && one.published[k]! > other.published[k]!
}

function sum(payments: readonly Payment[]): Payment {
  return payments.reduce((all, { cash, ratio }) => ({ cash: all.cash + cash, ratio: all.ratio + ratio }), { cash: 0, ratio: 0 })
}

function distinct(payments: readonly Payment[]): Payment[] {
  return [...new Map(payments.map(({ cash, ratio }) => [`${cash} ${ratio}`, { cash, ratio }])).values()]
}

const ascending = (a: Payment, b: Payment): number => a.cash - b.cash || a.ratio - b.ratio

/** A day has one or two plans: a table with more choices than this has no plans of it. */
const mostChoices = 256

/** One of each, in all ways, those of the first choices first. */
function combinations<T>(choices: readonly (readonly T[])[]): T[][] {
  let all: T[][] = [[]]
  for (const each of choices) {
    const room = Math.max(1, Math.floor(mostChoices / all.length))
    all = all.flatMap((chosen) => each.slice(0, room).map((one) => [...chosen, one]))
  }
  return all
}

/** Rounding of factors moves them by less. */
const minPriceMove = 0.002

/** The factor moves between two days of trading, and no ex-day lies between them. */
function movesUntold({ dates, traded, columns, stride }: Arranged, place: number, exDays: readonly ExDay[]): boolean {
  const factor = columns.get('adj_factor')?.cells
  if (!factor) return false
  let before = -1
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    const now = factor[t * stride + place]!
    if (now !== now || traded[t * stride + place] === 0) continue
    while (next < exDays.length && before >= 0 && exDays[next]!.date <= dates[before]!) next++
    const isReached = next < exDays.length && exDays[next]!.date <= dates[t]!
    if (before >= 0 && !isReached && Math.abs(now / factor[before * stride + place]! - 1) > minPriceMove) return true
    before = t
  }
  return false
}
