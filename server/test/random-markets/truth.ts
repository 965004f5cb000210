/**
 * Small made-up markets as they were: what happened to each security on each day, in the product's units and in decimals that a file can
 * write without loss. Nothing here knows how files are written or read.
 */
import { tradingDays } from '../../src/market/calendar.ts'
import type { Random } from '../../src/market/demo/random.ts'

export type Kind = 'stk' | 'cb'

/** A row of a day. Numbers by field key; null is a number that the source does not have. */
export interface TruthRow {
  readonly isTraded: boolean
  readonly values: Record<string, number | null>
  /** Words of enumerations, by field key. */
  readonly words: Record<string, string | null>
}

export interface TruthSecurity {
  /** As the product names it, `600001.SH`. */
  readonly code: string
  /** Names by the day on which each begins. */
  readonly names: readonly { readonly from: number; readonly name: string }[]
  readonly stockCode?: string
  /** By day; null where the security is not there: before it was listed, after it left, or suspended where the source writes no rows. */
  readonly rows: (TruthRow | null)[]
  /** Place of the first and the last day on which it is listed. */
  readonly first: number
  readonly last: number
  /** Places of days on which something went out of a share, and what: yuan and new shares a share. */
  readonly exDays: readonly number[]
  readonly payments: readonly Payment[]
  /** What proves that the first row is a listing, where it is one behind the first day. */
  readonly begins: 'there' | 'debut' | 'resumed'
}

export interface Payment {
  readonly t: number
  readonly cash: number
  readonly ratio: number
}

export interface Truth {
  readonly kind: Kind
  readonly days: readonly string[]
  readonly securities: readonly TruthSecurity[]
  /** Whether suspended days have rows. */
  readonly hasIdleRows: boolean
  /** Trading days without a row after which a share counts as gone. */
  readonly endsAfter: number
}

/** What the source of a market can tell; the truth has no event that it could not. */
export interface Telling {
  readonly kind: Kind
  readonly hasIdleRows: boolean
  /** Ex-days happen only where a factor or the exchange's previous close tells them. */
  readonly hasExDays: boolean
  readonly endsAfter: number
  /** Securities begin and end only where it is known how the source says so. */
  readonly hasLateStarts: boolean
  readonly hasEnds: boolean
  /** Rows may stop some days before the file does, of a security that is there all the same. */
  readonly hasPauses: boolean
  /** At least so many rows, where a faulty row must not be too many of them. */
  readonly leastRows: number
  /** Decimals of factors. */
  readonly factorDigits: number
  /** Where markets of a few securities and weeks will not do. */
  readonly size?: { readonly securities: number; readonly days: number }
}

export const decimalsOf: Readonly<Record<Kind, Readonly<Record<string, number>>>> = {
  stk: {
    ...{ close: 2, open: 2, high: 2, low: 2, pre_close: 2, vol: 0, amount: 6, turnover: 6, adj_factor: 6 },
    ...{ total_mv: 2, circ_mv: 2, pe_ttm: 2, pb: 2, dv_ratio: 4, total_share: 4, is_st: 0 },
  },
  cb: {
    ...{ close: 3, open: 3, pre_close: 3, vol: 0, amount: 6, turnover: 4, conv_price: 2, close_stk: 2, conv_value: 4, conv_prem: 6 },
    ...{ ytm: 6, remain_size: 3, left_years: 4, is_st_stk: 0 },
  },
}

/** Fields that stay over days on which the security does not trade (domain.md 3.1), of those above. */
export const carried: Readonly<Record<Kind, ReadonlySet<string>>> = {
  stk: new Set(['close', 'adj_factor', 'total_mv', 'circ_mv', 'pe_ttm', 'pb', 'dv_ratio', 'total_share', 'is_st']),
  cb: new Set([
    ...['close', 'conv_price', 'close_stk', 'conv_value', 'conv_prem', 'ytm', 'remain_size', 'left_years', 'rating', 'is_st_stk'],
  ]),
}

export const ratings = ['AAA', 'AA+', 'AA', 'AA-', 'A+', 'A']

export function makeTruth(random: Random, telling: Telling): Truth {
  const { kind, endsAfter, leastRows } = telling
  const count = telling.size?.securities ?? random.whole(5, 12)
  const least = telling.hasEnds ? (kind === 'stk' ? endsAfter : 10) + 8 : 0
  const length = telling.size?.days ?? Math.max(random.whole(12, 40), Math.ceil(leastRows / count), least)
  const all = tradingDays('2016-01-01', '2026-10-30')
  const start = random.whole(0, all.length - length)
  const days = all.slice(start, start + length)
  const codes = distinctCodes(random, kind, count)
  const securities = codes.map((code, i) => makeSecurity(random, telling, { code, i, days }))
  // A day on which nobody has a row is no day of the file.
  const isThere = days.map((_, t) => securities.some(({ rows }) => rows[t] !== null))
  if (isThere.includes(false)) return makeTruth(random, telling)
  return { kind, days, securities, hasIdleRows: telling.hasIdleRows, endsAfter }
}

const prefixes: Readonly<Record<Kind, readonly (readonly [prefix: string, exchange: string])[]>> = {
  stk: [
    ['600', 'SH'],
    ['603', 'SH'],
    ['688', 'SH'],
    ['000', 'SZ'],
    ['002', 'SZ'],
    ['300', 'SZ'],
    ['920', 'BJ'],
  ],
  cb: [
    ['113', 'SH'],
    ['118', 'SH'],
    ['123', 'SZ'],
    ['127', 'SZ'],
    ['128', 'SZ'],
  ],
}

function distinctCodes(random: Random, kind: Kind, count: number): string[] {
  const codes = new Set<string>()
  while (codes.size < count) {
    const [prefix, exchange] = prefixes[kind][random.whole(0, prefixes[kind].length - 1)]!
    // Among the numbers below are some that became others (data.md 3.7), and 300114 did; 1185 are directed bonds.
    const code = `${prefix}${String(random.whole(100, 899)).padStart(3, '0')}.${exchange}`
    if (code !== '300114.SZ' && !code.startsWith('1185')) codes.add(code)
  }
  return [...codes].sort()
}

interface Place {
  readonly code: string
  readonly i: number
  readonly days: readonly string[]
}

/** The first three securities are there throughout, so that every day has its rows and most shares of a day are old ones. */
function makeSecurity(random: Random, telling: Telling, { code, i, days }: Place): TruthSecurity {
  const { kind, endsAfter, hasIdleRows } = telling
  const length = days.length
  const isSteady = i < 4
  const begins =
    isSteady || !telling.hasLateStarts || random.chance(0.7) ? 'there' : kind === 'cb' || random.chance(0.6) ? 'debut' : 'resumed'
  const first = begins === 'there' ? 0 : random.whole(2, Math.floor(length / 2))
  const isGone = !isSteady && telling.hasEnds && random.chance(0.3)
  const least = kind === 'stk' ? endsAfter : 10
  const last = isGone ? length - 1 - random.whole(least, Math.max(least, length - first - 6)) : length - 1
  const ended = last < first + 3 ? length - 1 : last
  // Its rows stop before the file does, for too few days to have left.
  const quiet =
    !isSteady && !isGone && !hasIdleRows && telling.hasPauses && random.chance(0.4)
      ? random.whole(1, Math.min(least - 1, length - first - 6))
      : 0
  const isIdle = idleDays(random, isSteady ? -1 : first, ended)
  const rows: (TruthRow | null)[] = Array.from({ length }, () => null)
  const payments: Payment[] = []
  const share = kind === 'stk' ? openShare(random, telling, begins) : openBond(random, i)
  for (let t = first; t <= ended; t++) {
    if (t > length - 1 - quiet) break
    if (isIdle(t)) {
      if (hasIdleRows) rows[t] = share.idle()
      continue
    }
    const { row, paid } = share.trade(t === first, isIdle(t - 1), t)
    if (paid) payments.push({ t, ...paid })
    rows[t] = row
  }
  const name = kind === 'stk' ? `试验${i + 1}` : `试验转债${i + 1}`
  const renamed = random.chance(0.3) ? [{ from: random.whole(first, ended - quiet), name: `新名${i + 1}` }] : []
  return {
    code,
    names: [{ from: first, name }, ...renamed],
    ...(kind === 'cb' && { stockCode: `${code.startsWith('11') ? 600 : 300}${code.slice(3, 6)}.${code.endsWith('SH') ? 'SH' : 'SZ'}` }),
    rows,
    first,
    last: ended,
    exDays: payments.map(({ t }) => t),
    payments,
    begins,
  }
}

/** Suspensions never touch the first two rows nor the last one. */
function idleDays(random: Random, first: number, last: number): (t: number) => boolean {
  const idle = new Set<number>()
  if (first >= 0 && last - first > 8 && random.chance(0.5)) {
    const from = random.whole(first + 3, last - 3)
    const to = Math.min(last - 2, from + random.whole(0, 4))
    for (let t = from; t <= to; t++) idle.add(t)
  }
  return (t) => idle.has(t)
}

interface Course {
  trade(isFirst: boolean, isResumed: boolean, t: number): { row: TruthRow; paid: Omit<Payment, 't'> | null }
  /** A row of a day on which it does not trade: prices stay. */
  idle(): TruthRow
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals))

function openShare(random: Random, telling: Telling, begins: TruthSecurity['begins']): Course {
  let close = round(random.between(5, 80), 2)
  let factor = begins === 'debut' ? 1 : round(random.between(1.2, 9), 6)
  const shares = round(random.between(0.8, 50), 4)
  const earns = random.chance(0.75)
  const isSt = random.chance(0.15)
  let before: TruthRow | null = null
  const worth = (price: number) => ({
    total_mv: round(price * shares, 2),
    circ_mv: round(price * shares * 0.7, 2),
    // A loss has no PE: sources write a negative number or nothing.
    pe_ttm: earns ? round(random.between(5, 90), 2) : random.chance(0.5) ? -round(random.between(1, 90), 2) : null,
    pb: random.chance(0.04) ? null : round(random.between(0.5, 9), 2),
    dv_ratio: random.chance(0.05) ? null : round(random.between(0, 0.06), 4),
    total_share: shares,
    is_st: isSt ? 1 : 0,
  })
  return {
    trade(isFirst, isResumed) {
      // A step that no source could tell apart from noise is none, and one after a suspension would be told by the price before it.
      // A cent of a cheap share is more than any limit.
      const isExDay = telling.hasExDays && !isFirst && !isResumed && close > 4 && random.chance(0.05)
      let base = close
      const paid = isExDay ? payment(random, close) : null
      if (paid) {
        base = round((close - paid.cash) / (1 + paid.ratio), 2)
        factor = round((factor * close) / base, telling.factorDigits)
      }
      const moved = isFirst && begins === 'debut' ? 1.44 : 1 + Math.max(-0.035, Math.min(0.035, random.normal() * 0.015))
      close = round(base * moved, 2)
      const open = isFirst ? close : round(base * (1 + Math.max(-0.02, Math.min(0.02, random.normal() * 0.01))), 2)
      const high = round(Math.max(open, close) + random.whole(0, 3) / 100, 2)
      const low = round(Math.min(open, close) - random.whole(0, 3) / 100, 2)
      const vol = 100 * random.whole(800, 90_000)
      const amount = round((vol * (open + close)) / 2 / 1e4, 6)
      const values = { close, open, high, low, pre_close: base, vol, amount, turnover: round(vol / (shares * 0.7e8), 6) }
      before = { isTraded: true, values: { ...values, adj_factor: factor, ...worth(close) }, words: {} }
      return { row: before, paid }
    },
    idle() {
      const last = before!.values
      const prices = { close, open: close, high: close, low: close, pre_close: close, vol: 0, amount: 0, turnover: 0, adj_factor: factor }
      const { total_mv, circ_mv, pe_ttm, pb, dv_ratio, total_share, is_st } = last
      const held = { total_mv, circ_mv, pe_ttm, pb, dv_ratio, total_share, is_st } as Record<string, number | null>
      return { isTraded: false, values: { ...prices, ...held }, words: {} }
    },
  }
}

/** What goes out of a share: money, new shares, or both. */
function payment(random: Random, close: number): Omit<Payment, 't'> {
  const ratio = random.chance(0.3) ? random.whole(2, 10) / 10 : 0
  const cash = ratio === 0 || random.chance(0.3) ? round(close * random.between(0.015, 0.06), 2) : 0
  return { cash: ratio === 0 ? Math.max(0.03, cash) : cash, ratio }
}

function openBond(random: Random, i: number): Course {
  let stock = round(random.between(5, 40), 2)
  // The clause (130 % of the conversion price) is never met, so no end is a call.
  const conversion = round(stock / random.between(0.6, 0.85), 2)
  let size = round(random.between(1, 30), 3)
  const rating = random.chance(0.9) ? ratings[random.whole(0, ratings.length - 1)]! : null
  const years = random.between(4.6, 5.9)
  const isSt = random.chance(0.1)
  let close = 0
  let before: TruthRow | null = null
  const made = (t: number) => {
    const value = round((100 / conversion) * stock, 4)
    return {
      conv_price: conversion,
      close_stk: stock,
      conv_value: value,
      conv_prem: round(close / ((100 / conversion) * stock) - 1, 6),
      ytm: random.chance(0.04) ? null : round(random.between(-0.08, 0.06), 6),
      remain_size: size,
      left_years: round(years - t / 242, 4),
      is_st_stk: isSt ? 1 : 0,
    }
  }
  return {
    trade(isFirst, _isResumed, t) {
      stock = round(stock * (1 + Math.max(-0.03, Math.min(0.03, random.normal() * 0.015))), 2)
      if (random.chance(0.1)) size = round(size * random.between(0.97, 1), 3)
      const previous = isFirst ? (i % 2 === 0 ? 100 : 110) : close
      close = round(previous * (1 + Math.max(-0.03, Math.min(0.03, random.normal() * 0.012))), 3)
      const open = round(previous * (1 + Math.max(-0.02, Math.min(0.02, random.normal() * 0.008))), 3)
      const vol = random.whole(500, 60_000)
      const amount = round((vol * 10 * close) / 1e4, 6)
      const values = { close, open, pre_close: previous, vol, amount, turnover: round(random.between(0.001, 0.2), 4) }
      before = { isTraded: true, values: { ...values, ...made(t) }, words: { rating } }
      return { row: before, paid: null }
    },
    idle: () => ({
      isTraded: false,
      values: { ...before!.values, open: close, pre_close: close, vol: 0, amount: 0, turnover: 0 },
      words: before!.words,
    }),
  }
}
