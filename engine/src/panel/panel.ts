import type { Board, DataMode, MarketId, Settings } from '@convexa/contract'
import type { ExitReason } from '@convexa/contract/enums/exit-reason'
import type { TradingRules } from '../base/dated-rules.ts'
import type { Announcement, BondTerms } from './bond-terms.ts'
import type { DatedFact } from './dated-fact.ts'
import type { KnownLastDay } from './last-day.ts'
import type { StatementHistory } from './statements.ts'

/** One bond or stock. Dates are `YYYY-MM-DD` of Asia/Shanghai, null where unknown. */
export interface Security {
  readonly code: string
  /** Earlier codes, where the data have them; a rule that names one of them means this security. */
  readonly formerCodes?: readonly string[]
  readonly name: string
  /** Initials of the name, lower case, for search. */
  readonly pinyin: string
  readonly board: Board
  readonly listed: string | null
  readonly delisted: string | null
  /** Last trading day; null while none is known. Ideal runs read it directly. */
  readonly lastDay: string | null
  /** From which day a last day was public. Realistic runs know of it from here on; null = never announced (the data just stop). */
  readonly lastDayKnown: string | null
  /** The last days that were known, where there was more than one or the security still trades (`last-day.ts`); else the single one is. */
  readonly lastDays?: readonly KnownLastDay[]
  /** Why it left, of what has left in imported data. Known afterwards only: no rule reads it. */
  readonly exitReason?: ExitReason
  /** Yuan per 100 face paid at redemption or maturity, null where unknown (bonds). */
  readonly redemptionPrice: number | null
  /** 赎回日 of a call that is over, where a table states it (bonds). Known afterwards only: no rule reads it. */
  readonly redemptionDay?: string
  /** Key of the issuer, which bonds of one issuer share (`max_per_issuer`): the stock's code for a bond, the own code for a stock. */
  readonly issuer: string
  readonly stockCode?: string
  readonly stockName?: string
  /** Static texts by key: `industry_1`, `area`, `orgform`, … */
  readonly attributes: Readonly<Record<string, string>>
  /** What was agreed when it was issued (bonds), where the data say it. */
  readonly terms?: BondTerms
  /** What was published of it, ascending by date (bonds). */
  readonly announcements?: readonly Announcement[]
  /** Dividends and splits, ascending, where the data say them (shares); of other days the adjustment factor alone tells. */
  readonly exDays?: readonly ExDay[]
  /** Facts with their days by key, which win over `attributes`: industries, ST, membership of an index, share counts … */
  readonly dated?: Readonly<Record<string, readonly DatedFact[]>>
}

/** 除权除息日. */
export interface ExDay {
  readonly date: string
  /** Yuan a share, before tax. */
  readonly cash: number
  /** New shares a share. */
  readonly ratio: number
}

/** 缺行情, by day (`YYYY-MM-DD`): codes of the securities without a bar. Days on which nothing is missing are not in it. */
export type MissingBars = ReadonlyMap<string, ReadonlySet<string>>

/**
 * dates × securities × fields, delisted securities included (no survivorship bias). A column is day-major: the cell of day t and security i is at t·stride + i.
 * NaN = absent. Inside the listing window price-like fields (`Field.carry`) are carried forward over days without a trade and only over
 * them, and those of trades (`Field.ofTrades`) are 0 on them. Outside of it every field is absent (`clearUnlisted`), so that a window never
 * reads a day on which the security was not listed; only fields of the underlying share (`Field.ofStock`) go on there.
 */
export interface Panel {
  readonly kind: MarketId
  /** Trading days, ascending. */
  readonly dates: readonly string[]
  /** The trading day after the last of them, of a year whose closed days are not known the next weekday; null or absent without a calendar. */
  readonly nextDay?: string | null
  /** The trading days behind the last of them, as many as a payment may lie ahead; absent without a calendar: then weekdays. */
  readonly later?: readonly string[]
  /** Ascending by code, so that the order of indices is the order of codes. */
  readonly securities: readonly Security[]
  /** Cells from one day to the next, ≥ securities.length. */
  readonly stride: number
  readonly columns: ReadonlyMap<string, Float64Array>
  /** 1 where the security is inside its listing window that day. */
  readonly listed: Uint8Array
  /** 1 where it traded that day. */
  readonly traded: Uint8Array
  /** Bars that have not come (`missing-bars.ts`); absent where nothing is known to be missing. */
  readonly missingBars?: MissingBars
  /** Closes of market series by code (`cb_ew`, `000300`), one value a day of `dates`, NaN = absent. */
  readonly benchmarks: ReadonlyMap<string, Float64Array>
  /** Published statements; absent where the data have none, or none were requested. */
  readonly reports?: StatementHistory
  /** First and last days of the periods that lists of call announcements cover: a bond without an entry in a period announced nothing then. */
  readonly callLists?: readonly (readonly [from: string, until: string])[]
  /** How the data state prices; absent where they do not say. */
  readonly adjust?: Settings['adjust']
  /** The exchanges' rules as the operator has them; absent = the usual ones. */
  readonly rules?: TradingRules
  readonly dataMode: DataMode
  readonly dataVersion: string
}

/** What a calculation reads: fields and report items, and how many trading days before its first day. */
export interface Needs {
  readonly fields: ReadonlySet<string>
  readonly lookback: number
  /** Something counts from a security's listing on: all days before are read. */
  readonly sinceListing: boolean
  readonly benchmarks: ReadonlySet<string>
}

/** A column without values, where threads can share it if there is such a place. */
export function absentColumn({ dates, stride }: Pick<Panel, 'dates' | 'stride'>): Float64Array {
  const cells = dates.length * stride
  const column = typeof SharedArrayBuffer === 'function' ? new Float64Array(new SharedArrayBuffer(8 * cells)) : new Float64Array(cells)
  return column.fill(Number.NaN)
}

/**
 * Makes the cells outside listing windows absent, in place, on days from … to − 1: windows use the days on which the security was listed
 * (domain.md 2.1), and vendors keep prices of other days too.
 */
export function clearUnlisted(
  column: Float64Array | Float32Array,
  { listed, stride }: Pick<Panel, 'listed' | 'stride'>,
  from: number,
  to: number,
): void {
  const isWhole = stride % 4 === 0 && listed.byteOffset % 4 === 0
  const there = isWhole ? inFours(listed) : listed
  const [step, all] = isWhole ? [4, 0x01010101] : [1, 1]
  for (let at = from * stride, k = at / step; at < to * stride; at += step, k++) {
    // Mostly all four are listed.
    if (there[k] === all) continue
    for (let j = at; j < at + step; j++) if (listed[j] === 0) column[j] = Number.NaN
  }
}

/** Masks; and the cells of those who are listed and do not trade, ascending, where somebody has counted them for all days. */
export type Trading = Pick<Panel, 'listed' | 'traded' | 'stride'> & { readonly idle?: (() => Int32Array) | undefined }

/** The cells of those who are listed and do not trade, on days from … to − 1, ascending. */
export function idleCells(ground: Pick<Panel, 'listed' | 'traded' | 'stride'>, from: number, to: number): Int32Array {
  const cells: number[] = []
  forEachIdle(ground, from, to, (at) => cells.push(at))
  return Int32Array.from(cells)
}

/**
 * Visits the cells of those who are listed and do not trade, on days from … to − 1, in their order. Masks of bytes are read eight at once,
 * where they can be: mostly nobody of the eight is there and idle.
 */
function forEachIdle({ listed, traded, stride, idle }: Trading, from: number, to: number, visit: (at: number) => void): void {
  if (idle) {
    const cells = idle()
    for (let k = firstFrom(cells, from * stride); k < cells.length && cells[k] < to * stride; k++) visit(cells[k])
    return
  }
  if (stride % 8 !== 0 || listed.byteOffset % 8 !== 0 || traded.byteOffset % 8 !== 0) {
    for (let at = from * stride; at < to * stride; at++) if (listed[at] === 1 && traded[at] === 0) visit(at)
    return
  }
  // Bytes of 0 and 1 are never NaN as doubles: those that differ are compared as different.
  const [there, trades] = [inEights(listed), inEights(traded)]
  const [thereByWord, tradesByWord] = [inFours(listed), inFours(traded)]
  const end = (to * stride) / 8
  for (let k = (from * stride) / 8; k < end; k++) {
    if (there[k] === trades[k]) continue
    for (let word = 2 * k; word < 2 * k + 2; word++) {
      // The lowest bit of each byte that is left; files and memory are little endian.
      for (let left = thereByWord[word] & ~tradesByWord[word]; left !== 0; left &= left - 1)
        visit(4 * word + ((31 - Math.clz32(left & -left)) >> 3))
    }
  }
}

/** Place of the first of ascending numbers that is not below another. */
function firstFrom(ascending: Int32Array, least: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle] < least) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Carries the last value forward over days without a trade, in place, on days from … to − 1 inside the listing window; those before them
 * are done. An absent number of a trading day is absent, and so are the days without a trade behind it (domain.md 3.1).
 */
export function carryForward(column: Float64Array, ground: Pick<Panel, 'listed' | 'traded' | 'stride'>, from: number, to: number): void {
  const { listed, stride } = ground
  // Row by row: a day-major column must never be walked by security.
  forEachIdle(ground, Math.max(1, from), to, (at) => {
    if (listed[at - stride] === 1 && column[at] !== column[at]) column[at] = column[at - stride]
  })
}

/** The same over every day without a value: an adjustment factor stays until the next one in the data (`Field.stays`). */
export function carryThrough(
  column: Float64Array,
  { listed, stride }: Pick<Panel, 'listed' | 'traded' | 'stride'>,
  from: number,
  to: number,
): void {
  for (let at = Math.max(1, from) * stride; at < to * stride; at++) {
    if (column[at] !== column[at] && listed[at] === 1 && listed[at - stride] === 1) column[at] = column[at - stride]
  }
}

/** A listed security without a trade has zero volume and amount, not NaN: fills columns of trades (`Field.ofTrades`) in place, on days from … to − 1. */
export function fillUntraded(column: Float64Array, ground: Pick<Panel, 'listed' | 'traded' | 'stride'>, from: number, to: number): void {
  forEachIdle(ground, from, to, (at) => {
    if (column[at] !== column[at]) column[at] = 0
  })
}

/** A mask of 0 and 1, four or eight securities in a word. */
const inFours = ({ buffer, byteOffset, length }: Uint8Array): Int32Array => new Int32Array(buffer, byteOffset, length >> 2)
const inEights = ({ buffer, byteOffset, length }: Uint8Array): Float64Array => new Float64Array(buffer, byteOffset, length >> 3)

/**
 * Equal-weight index of a market (`cb_ew`, `stk_ew`), first day 1000: the mean of close / previous carried close − 1 over
 * the securities that trade today and have a previous close inside their listing window; the first day of a listing is not counted.
 */
export function equalWeight(close: Float64Array, traded: Uint8Array, listed: Uint8Array, days: number, stride: number): Float64Array {
  const index = new Float64Array(days)
  index[0] = 1000
  for (let t = 1; t < days; t++) index[t] = index[t - 1] * (1 + equalWeightChange(close, traded, listed, t, stride))
  return index
}

/** What that index gains on day t; 0 where nobody counts. */
export function equalWeightChange(close: Float64Array, traded: Uint8Array, listed: Uint8Array, t: number, stride: number): number {
  let sum = 0
  let count = 0
  for (let at = t * stride, end = at + stride; at < end; at++) {
    if (traded[at] === 0 || listed[at - stride] === 0) continue
    const change = close[at] / close[at - stride] - 1
    if (change === change && change !== Number.POSITIVE_INFINITY) {
      sum += change
      count++
    }
  }
  return count > 0 ? sum / count : 0
}
