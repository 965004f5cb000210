/**
 * Which first row of a security is its listing. A file without listing days begins at some day, and who has no row on that day may be
 * listed later or may only have been suspended. A first row is a listing only on evidence; codes are none (exchanges do not allot them in
 * order).
 */
import { markets, type Security } from '@convexa/engine'
import type { FactorState, SnapshotKind } from '../manifest.ts'
import { rulesOf } from '../market-rules.ts'
import { isOfStock } from '../store.ts'
import { boardOfStock } from './code.ts'
import type { Companion } from './companions.ts'
import type { Rows } from './rows.ts'
import { tradedIn } from './traded-rows.ts'

/**
 * `first_day`: there on the first day of the data, listed before it. Later than that: `resumed`: a list says that it had been listed before;
 * `unknown`: nothing says that it is a listing.
 */
export type FirstRow = 'first_day' | 'listing' | 'resumed' | 'unknown'

/** Left years at a bond's first row below which it was no listing: 5 of 748 bonds of 2017–2023 were issued for less. */
const leastYearsOfNewBond = 4.5

interface Used {
  /** 1 inside the listing window; null: all are. */
  readonly inside: Uint8Array | null
  /** 1 in quarantine. */
  readonly dropped: Uint8Array
}

/** By place in `rows.codes`: what the security's first row is; undefined where it has no row. */
export function firstRowsOf(
  kind: SnapshotKind,
  rows: Rows,
  { inside, dropped }: Used,
  about: ReadonlyMap<string, Companion>,
): (FirstRow | undefined)[] {
  const rank = ranks(rows.dates)
  const isUsed = usedRows(kind, rows, { inside, dropped })
  const { first, firstDay } = firstUsed(rows, isUsed, rank)
  const isLate = (row: number) => row >= 0 && rank[rows.date[row]!]! > firstDay
  if (!first.some(isLate)) return Array.from(first, (row) => (row < 0 ? undefined : 'first_day'))
  const isFlaggedUnlisted = flaggedUnlisted(rows, first, rank)
  const isListing = rulesOf(kind)?.listingNeedsEvidence ? tradeEvidence(rows, isUsed, rank, firstDay) : termEvidence(rows)
  return Array.from(first, (row, place) => {
    if (row < 0) return undefined
    if (!isLate(row)) return 'first_day'
    if (isFlaggedUnlisted[place] === 1) return 'listing'
    const listedDay = about.get(rows.codes[place]!)?.listed
    if (listedDay !== undefined) return listedDay < rows.dates[rows.date[row]!]! ? 'resumed' : 'listing'
    return rows.listed !== null || isListing(row) ? 'listing' : 'unknown'
  })
}

/** By place in `rows.codes`, 1: the file says itself, on a day before the first row that is used, that the security is not listed. */
function flaggedUnlisted({ count, code, date, codes, listed }: Rows, first: Int32Array, rank: Int32Array): Uint8Array {
  const flags = new Uint8Array(codes.length)
  for (let row = 0; listed !== null && row < count; row++) {
    if (listed[row] === 1 || code[row]! < 0 || date[row]! < 0) continue
    const own = first[code[row]!]!
    if (own >= 0 && rank[date[row]!]! < rank[date[own]!]!) flags[code[row]!] = 1
  }
  return flags
}

/** By code, where prices stay adjusted: what the next file has to know of the factors so far. */
export function firstFactors(kind: SnapshotKind, rows: Rows, used: Used): Record<string, FactorState> {
  const { unusedFactors } = rows
  if (!unusedFactors) return {}
  const { first } = firstUsed(rows, usedRows(kind, rows, used), ranks(rows.dates))
  const factorOf = (row: number) => (row < 0 ? Number.NaN : unusedFactors[row]!)
  return Object.fromEntries(
    rows.codes.flatMap((code, place) => (factorOf(first[place]!) > 0 ? [[code, { first: factorOf(first[place]!) }]] : [])),
  )
}

function usedRows(kind: SnapshotKind, rows: Rows, { inside, dropped }: Used): (row: number) => boolean {
  const hasOwn = hasOwnNumber(kind, rows)
  return (row) => rows.code[row]! >= 0 && rows.date[row]! >= 0 && dropped[row] === 0 && inside?.[row] !== 0 && hasOwn(row)
}

/** By place in `rows.codes`: the row of the earliest day that is used, −1 where there is none; and the earliest day of all, by rank. */
function firstUsed(rows: Rows, isUsed: (row: number) => boolean, rank: Int32Array): { first: Int32Array; firstDay: number } {
  const first = new Int32Array(rows.codes.length).fill(-1)
  let firstDay = Number.POSITIVE_INFINITY
  for (let row = 0; row < rows.count; row++) {
    if (!isUsed(row)) continue
    const day = rank[rows.date[row]!]!
    firstDay = Math.min(firstDay, day)
    const known = first[rows.code[row]!]!
    if (known < 0 || day < rank[rows.date[known]!]!) first[rows.code[row]!] = row
  }
  return { first, firstDay }
}

/**
 * By place in `rows.codes`, for the checks that spare the first days of a listing: more rows than they spare where the first row is none, so
 * that such a security is judged from its second row on.
 */
export function rowsBefore(kind: SnapshotKind, rows: Rows, inside: Uint8Array | null, about: ReadonlyMap<string, Companion>): number[] {
  const first = firstRowsOf(kind, rows, { inside, dropped: new Uint8Array(rows.count) }, about)
  return Array.from(first, (row) => (row === 'unknown' || row === 'resumed' ? 1_000 : 0))
}

/** Whether a row has a number of the security itself; one without, or with numbers of its share alone, is no row of a market. */
export function hasOwnNumber(kind: SnapshotKind, { fields }: Rows): (row: number) => boolean {
  const own = [...fields].flatMap(([key, column]) => (isOfStock(kind, key) ? [] : [column]))
  // Nearly every row has the first of them.
  const [first, ...others] = own
  return (row) => first !== undefined && (first[row] === first[row] || others.some((column) => column[row] === column[row]))
}

/** Index series have no term: each first row is their beginning. */
function termEvidence({ fields }: Rows): (row: number) => boolean {
  const left = fields.get('left_years')
  return (row) => !(left && left[row]! < leastYearsOfNewBond)
}

/**
 * 1. The file has rows of untraded days, and no share lacks a row between two of its own: a share that was there before would have rows.
 * 2. The close lies beyond the board's ordinary limit around the previous close: only a new share moves so far.
 * 3. The adjustment factor is 1 where more than half of the shares of the first day have another one.
 */
function tradeEvidence(rows: Rows, isUsed: (row: number) => boolean, rank: Int32Array, firstDay: number): (row: number) => boolean {
  const isWhole = writesUntraded(rows, isUsed, rank)
  const [close, previous] = ['close', 'pre_close'].map((key) => rows.fields.get(key))
  const factor = rows.fields.get('adj_factor') ?? rows.unusedFactors
  let [adjusted, all] = [0, 0]
  if (factor) {
    for (let row = 0; row < rows.count; row++) {
      if (!isUsed(row) || rank[rows.date[row]!] !== firstDay || !(factor[row]! > 0)) continue
      all++
      if (!isOne(factor[row]!)) adjusted++
    }
  }
  const factorsTell = adjusted * 2 > all
  return (row) => {
    if (isWhole || (factorsTell && isOne(factor![row]!))) return true
    return (
      close !== undefined &&
      previous !== undefined &&
      isBeyondLimit(rows.codes[rows.code[row]!]!, rows.dates[rows.date[row]!]!, close[row]!, previous[row]!)
    )
  }
}

/** Whether an adjustment factor is 1: none has been needed yet. */
export const isOne = (factor: number): boolean => Math.abs(factor - 1) < 1e-9

/** Whether a close lies beyond the ordinary limit around the previous one by more than a tick: no share that has been listed for long moves so far. */
export function isBeyondLimit(code: string, date: string, close: number, previous: number): boolean {
  const { up, down } = markets.stk.limits({ board: boardOfStock(code), listed: '1990-01-01' } as Security, date, 1_000, previous, false)
  return (up !== null && close > up + tick) || (down !== null && close < down - tick)
}
const tick = 0.01 + 1e-9

/** Whether days without a trade have rows, without exception. */
function writesUntraded(rows: Rows, isUsed: (row: number) => boolean, rank: Int32Array): boolean {
  const [isTraded, hasOwn] = [tradedIn(rows), hasOwnNumber('stk', rows)]
  let row = 0
  while (row < rows.count && (isTraded(row) || !isUsed(row))) row++
  if (row === rows.count) return false
  const days = rows.dates.length
  const there = new Uint8Array(rows.codes.length * days)
  const isDay = new Uint8Array(days)
  for (let row = 0; row < rows.count; row++) {
    if (rows.code[row]! < 0 || rows.date[row]! < 0 || !hasOwn(row)) continue
    // A row in quarantine is not used, but the file has it.
    there[rows.code[row]! * days + rank[rows.date[row]!]!] = 1
    if (isUsed(row)) isDay[rank[rows.date[row]!]!] = 1
  }
  for (let code = 0; code < rows.codes.length; code++) {
    const own = there.subarray(code * days, (code + 1) * days)
    const last = own.lastIndexOf(1)
    for (let day = own.indexOf(1); day >= 0 && day < last; day++) if (own[day] === 0 && isDay[day] === 1) return false
  }
  return true
}

/** Place of each date among all of them, ascending. */
function ranks(dates: readonly string[]): Int32Array {
  const rank = new Int32Array(dates.length)
  for (const [k, place] of [...dates.keys()].sort((a, b) => (dates[a]! < dates[b]! ? -1 : 1)).entries()) rank[place] = k
  return rank
}
