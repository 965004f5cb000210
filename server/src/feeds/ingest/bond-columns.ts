/**
 * What a bond's day needs besides its own bars: its stock on the same day, the conversion price in force, what is left of it, and what
 * follows from these. A number that the source gives itself stays as it gave it.
 */
import { shown } from '@convexa/contract'
import { cashFlows, dayNumber, ratings, yieldAt } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import { daysBetween } from '../../market/calendar.ts'
import { readWord, wordsOf } from '../../market/import/cells/enumeration.ts'
import { factorAfter } from '../../market/import/factors.ts'
import type { DayTable } from '../rows.ts'
import { type BondsOfDay, callStatusesOn } from './call-status.ts'
import { isValueOf, priceInForce } from './conversion-prices.ts'
import type { Entry } from './entries.ts'
import type { Facts } from './facts.ts'
import { isSpecial, nameOn } from './names.ts'
import type { Past } from './past.ts'

export interface BondDay extends BondsOfDay {
  readonly entries: ReadonlyMap<string, Entry> | null
  /** Of the stocks that day; null where nobody had it. */
  readonly stocks: DayTable | null
  /** Names of stocks, to know who is ST. */
  readonly stockNames: ReadonlyMap<string, string>
}

export const sharesPerHand = 100

/** Ours from the stock's columns; `scale`: theirs in one of ours. */
const joined: readonly (readonly [key: string, of: string, scale?: number])[] = [
  ['close_stk', 'close'],
  ['pre_close_stk', 'pre_close'],
  ['adj_factor_stk', 'adj_factor'],
  ['vol_stk', 'vol', sharesPerHand],
  ['amount_stk', 'amount'],
  ['total_mv', 'total_mv'],
  ['circ_mv', 'circ_mv'],
  ['pb', 'pb'],
  ['pe_ttm', 'pe_ttm'],
  ['ps_ttm', 'ps_ttm'],
  ['dv_ratio', 'dv_ratio'],
  ['is_st_stk', 'is_st'],
]

const sizes = [
  ['total_mv', 1],
  ['circ_mv', 1],
] as const
const multiples = [
  ['pb', 1],
  ['pe_ttm', 1],
  ['ps_ttm', 1],
  ['dv_ratio', -1],
] as const

const ratingWords = wordsOf('rating', ratings)!

/** The newest rating that was published up to a day. `place` in `ratings`; NaN: a word that is none of them, and no rating of before stands for it. */
function ratingOn({ ratings: published }: Facts, code: string, date: string) {
  const said = published.get(code)?.findLast(({ announced }) => announced <= date)
  return said && { ...said, place: readWord(said.rating, ratingWords) ?? Number.NaN }
}

/** Ratings of a day's news that are none of the known words: they are absent, and reported once. */
export function unknownRatings(facts: Facts, codes: readonly string[], date: string): Finding[] {
  const examples = codes.flatMap((code) => {
    const said = ratingOn(facts, code, date)
    return said?.announced === date && said.place !== said.place ? [`${code} “${shown(said.rating, 20)}”`] : []
  })
  if (examples.length === 0) return []
  const text = '评级有不认识的取值，按缺失处理'
  return [{ check: 'word', level: 'warning', count: examples.length, text, examples: examples.slice(0, 5) }]
}

export interface BondColumns {
  readonly columns: Map<string, Float64Array>
  /** Codes whose value and premium the source gives for another conversion price than the one in force: they are made of that one. */
  readonly otherValues: readonly string[]
}

export function bondColumns(day: BondDay): BondColumns {
  const { table, past, facts, bonds, stocks, stockNames } = day
  const { date, codes } = table
  const columns = new Map(table.columns)
  const own = codes.map((code) => bonds.get(code)!)
  const make = (key: string, of: (i: number) => number) => {
    const given = columns.get(key)
    columns.set(
      key,
      Float64Array.from(codes, (_, i) => (given && given[i] === given[i] ? given[i]! : of(i))),
    )
  }
  const lastRow = (past.dates.length - 1) * past.stride
  const before = (key: string, i: number) => {
    const { place } = own[i]!
    return place === undefined ? Number.NaN : (past.columns.get(key)?.[lastRow + place] ?? Number.NaN)
  }
  if (stocks) {
    const rowOf = new Map(stocks.codes.map((code, row) => [code, row]))
    for (const [key, of, scale = 1] of joined) {
      const column = stocks.columns.get(of)
      if (column) make(key, (i) => column[rowOf.get(own[i]!.security.stockCode ?? '') ?? -1]! / scale)
    }
  }
  // Something went out of the share where the exchange tells another previous close.
  const previous = columns.get('pre_close_stk')
  if (previous && (past.dates.length === 0 || past.fields.has('adj_factor_stk')))
    make('adj_factor_stk', (i) =>
      previous[i] === previous[i] ? factorAfter(before('adj_factor_stk', i), before('close_stk', i), previous[i]!) : Number.NaN,
    )
  // Sizes and multiples that the share's source has not given yet go on by its adjusted close.
  const lacks = codes.map((_, i) => {
    const size = columns.get('total_mv')?.[i] ?? Number.NaN
    return size !== size
  })
  const adjusted = (price: number, factor: number) => price * (past.fields.has('adj_factor_stk') ? factor : 1)
  for (const [key, power] of [...sizes, ...multiples]) {
    if (!past.fields.has(key) || !stocks) continue
    make(key, (i) => {
      const now = adjusted(columns.get('close_stk')?.[i] ?? Number.NaN, columns.get('adj_factor_stk')?.[i] ?? Number.NaN)
      const value = before(key, i)
      return lacks[i] && value > 0 ? value * (now / adjusted(before('close_stk', i), before('adj_factor_stk', i))) ** power : Number.NaN
    })
  }
  make('is_st_stk', (i) => {
    const { stockCode, stockName } = own[i]!.security
    const name = nameOn(facts.names.get(stockCode ?? ''), date) ?? stockNames.get(stockCode ?? '') ?? stockName
    return name === undefined ? Number.NaN : Number(isSpecial(name))
  })
  make('conv_price', (i) => {
    return priceInForce(facts.conversionPrices.get(codes[i]!), date)?.price ?? before('conv_price', i)
  })
  // A suspended stock keeps its price; of one whose bar has not come the source's conversion value says it.
  const isUntold = untold(stocks)
  make('close_stk', (i) => {
    const { stockCode } = own[i]!.security
    const [value, price] = [columns.get('conv_value')?.[i] ?? Number.NaN, columns.get('conv_price')![i]!]
    const said = Math.round(value * price) / 100
    return stockCode && isUntold(stockCode) && isValueOf(value, price, said) ? said : before('close_stk', i)
  })
  const [close, stock, price] = ['close', 'close_stk', 'conv_price'].map((key) => columns.get(key)!)
  // A value that the price in force does not give is of another price, which nothing else speaks for.
  const isOfOther = codes.map((_, i) => {
    const [value, madeOf] = [columns.get('conv_value')?.[i] ?? Number.NaN, (100 / price![i]!) * stock![i]!]
    return value === value && madeOf === madeOf && !isValueOf(value, price![i]!, stock![i]!)
  })
  for (const key of ['conv_value', 'conv_prem']) {
    const given = columns.get(key)
    if (given && isOfOther.includes(true))
      columns.set(
        key,
        given.map((cell, i) => (isOfOther[i] ? Number.NaN : cell)),
      )
  }
  make('conv_value', (i) => (100 / price![i]!) * stock![i]!)
  const value = columns.get('conv_value')!
  const closeOrBefore = (i: number) => (close![i] === close![i] ? close![i]! : before('close', i))
  make('conv_prem', (i) => closeOrBefore(i) / value[i]! - 1)
  make('remain_size', (i) => {
    // Published in the evening: known from the next day on.
    const size = facts.remainingSizes.get(codes[i]!)?.findLast(({ announced }) => announced < date)?.size
    return size ?? orElse(before('remain_size', i), own[i]!.security.terms?.issueSize)
  })
  make('rating', (i) => {
    const said = ratingOn(facts, codes[i]!, date)
    return said ? said.place : before('rating', i)
  })
  // Markets that were imported have it as a column: it goes on. Elsewhere it is worked out by the day.
  if (past.fields.has('call_status')) {
    const statuses = callStatusesOn(day, columns, (i) => before('call_status', i))
    make('call_status', (i) => statuses[i]!)
  }
  make('left_years', (i) => {
    const end = own[i]!.security.terms?.conversionEnd ?? own[i]!.security.terms?.maturityDate
    return end ? Math.max(0, daysBetween(date, end) + 1) / 365 : Number.NaN
  })
  const [amount, left] = [columns.get('amount'), columns.get('remain_size')!]
  // Of each 100 yuan of face: 万元 over 亿元.
  if (amount) make('turnover', (i) => amount[i]! / (left[i]! * 1e4 * (close![i]! / 100)))
  const today = dayNumber(date)
  make('ytm', (i) => {
    const flows = cashFlows(own[i]!.security.terms, 'maturity')
    const paid = close![i]!
    return flows && paid === paid ? yieldAt(flows, today, paid) : Number.NaN
  })
  for (const [key, column] of columns) if (column.every((cell) => cell !== cell)) columns.delete(key)
  return { columns, otherValues: codes.filter((_, i) => isOfOther[i]) }
}

/** Rows of bonds for which the source gave a value on one of the days before and gives none now, like a lesser source, which has none. */
export function lacksBondValue(
  past: Pick<Past, 'securities' | 'columns' | 'stride' | 'dates'>,
  { codes, columns }: Pick<DayTable, 'codes' | 'columns'>,
): (row: number) => boolean {
  const before = past.columns.get('pure_value')
  const now = columns.get('pure_value')
  const had = new Set<string>()
  for (const [place, { code }] of past.securities.entries())
    if (past.dates.some((_, t) => (before?.[t * past.stride + place] ?? 0) > 0)) had.add(code)
  return (row) => had.has(codes[row] ?? '') && !((now?.[row] ?? 0) > 0)
}

/** Shares that have neither a bar nor a suspension, where the source says who is suspended. */
function untold(stocks: DayTable | null): (code: string) => boolean {
  if (!stocks?.suspended) return () => false
  const mentioned = new Set([...stocks.codes, ...stocks.suspended])
  return (code) => !mentioned.has(code)
}

const orElse = (value: number, otherwise: number | null | undefined): number => (value === value ? value : (otherwise ?? Number.NaN))
