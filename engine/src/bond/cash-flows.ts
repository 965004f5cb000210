/**
 * What a bond still pays and what that is worth. Days are numbers (days since 1970); yields are yearly with annual compounding,
 * years are days / 365. Interest is paid on the anniversaries of the value date, the last of it within the maturity price.
 */
import { dayNumber } from '../base/calendar.ts'
import type { BondTerms } from '../panel/bond-terms.ts'

export const flowKinds = ['maturity', 'tax', 'put'] as const
/** maturity: to the end, before tax; tax: after 20 % on interest; put: to the first day of the put period. */
export type FlowKind = (typeof flowKinds)[number]

export interface CashFlows {
  /** Ascending. */
  readonly days: readonly number[]
  readonly amounts: readonly number[]
  /** Before this day payments are not all known. */
  readonly from: number
}

const kept = 0.8
const face = 100

/** Null where the terms do not say enough. */
export function cashFlows(terms: BondTerms | undefined, kind: FlowKind): CashFlows | null {
  if (!terms) return null
  const { coupons, maturityDate, maturityPrice, put, valueDate } = terms
  const couponDates = anniversaries(terms)
  if (kind === 'put') {
    // Without coupons the interest up to the put day is not known.
    if (!put || !valueDate || coupons.length === 0) return null
    const end = dayNumber(put.from)
    const before = couponDates.filter((day) => day <= end)
    if (before.length > coupons.length) return null
    const years = interestYears(terms)
    const interest = yearOf(years, end) === undefined ? 0 : accruedInterest(years, end)
    if (interest !== interest) return null
    return {
      days: [...before, end],
      amounts: [...amountsOf(coupons, before.length), face + interest],
      from: knownFrom(coupons, before),
    }
  }
  if (maturityDate === null || maturityPrice === null) return null
  const end = dayNumber(maturityDate)
  const rate = kind === 'tax' ? kept : 1
  // A maturity a few days off the last anniversary pays no further coupon.
  const before = couponDates.filter((day) => day < end - 30)
  const isWhole = before.length > 0 && coupons.length >= before.length
  return {
    days: [...(isWhole ? before : []), end],
    amounts: [...(isWhole ? amountsOf(coupons, before.length).map((coupon) => coupon * rate) : []), face + (maturityPrice - face) * rate],
    // With no coupons known the last year still is: nothing but the redemption is to come.
    from: isWhole ? knownFrom(coupons, before) : end - 365,
  }
}

const amountsOf = (coupons: BondTerms['coupons'], count: number): number[] => coupons.slice(0, count).map((coupon) => coupon ?? Number.NaN)

/** The last payment that is not known: what comes behind it is. */
function knownFrom(coupons: BondTerms['coupons'], days: readonly number[]): number {
  const last = days.findLastIndex((_, k) => coupons[k] === null)
  return last < 0 ? Number.NEGATIVE_INFINITY : days[last]
}

/** A year of interest: from its first day up to the next payment, and its coupon in yuan per 100 of face, NaN where it is not known. */
export interface InterestYear {
  readonly start: number
  readonly end: number
  readonly coupon: number
}

/** The years of interest, as far as coupons are known. */
export function interestYears({ coupons, valueDate }: BondTerms): readonly InterestYear[] {
  if (valueDate === null) return []
  return coupons.map((coupon, k) => ({
    start: anniversary(valueDate, k),
    end: anniversary(valueDate, k + 1),
    coupon: coupon ?? Number.NaN,
  }))
}

/** Yuan per 100 of face since the last payment. */
export function accruedInterest(years: readonly InterestYear[], today: number): number {
  const year = yearOf(years, today)
  return year === undefined ? Number.NaN : (year.coupon * (today - year.start)) / 365
}

export function yearOf(years: readonly InterestYear[], today: number): InterestYear | undefined {
  for (const year of years) if (today < year.end) return today < year.start ? undefined : year
  return undefined
}

/** The value date's day so many years later; 29 February becomes the 28th. */
function anniversary(date: string, years: number): number {
  const year = String(Number(date.slice(0, 4)) + years)
  const isLeap = dayNumber(`${year}-03-01`) - dayNumber(`${year}-02-28`) === 2
  return dayNumber(`${year}${date.endsWith('02-29') && !isLeap ? '-02-28' : date.slice(4)}`)
}

function anniversaries({ valueDate, maturityDate, coupons }: BondTerms): number[] {
  if (valueDate === null) return []
  const end = maturityDate === null ? Number.POSITIVE_INFINITY : dayNumber(maturityDate)
  const days: number[] = []
  for (let k = 1; k <= Math.max(coupons.length, 10); k++) {
    const day = anniversary(valueDate, k)
    if (day > end || (maturityDate === null && k > coupons.length)) break
    days.push(day)
  }
  return days
}

/** What is still to come is worth this much at a yield; absent when nothing is to come. */
export function presentValue({ days, amounts, from }: CashFlows, today: number, yearly: number): number {
  if (today < from || !(yearly > -1)) return Number.NaN
  const rate = Math.log1p(yearly)
  let value = 0
  for (let k = days.length - 1; k >= 0 && days[k] > today; k--) value += amounts[k] * Math.exp((-rate * (days[k] - today)) / 365)
  return value > 0 ? value : Number.NaN
}

/**
 * The yield at which what is to come is worth the price. In the logarithm of 1 + yield the value falls and is convex, so Newton's
 * steps come down on the root from the left after the first one.
 */
export function yieldAt({ days, amounts, from }: CashFlows, today: number, price: number): number {
  const last = days.length - 1
  if (today < from || !(price > 0) || !(days[last] > today)) return Number.NaN
  let total = 0
  for (let k = last; k >= 0 && days[k] > today; k--) total += amounts[k]
  let rate = (Math.log(total / price) * 365) / (days[last] - today)
  for (let step = 0; step < 60; step++) {
    let value = 0
    let slope = 0
    for (let k = last; k >= 0 && days[k] > today; k--) {
      const years = (days[k] - today) / 365
      const part = amounts[k] * Math.exp(-rate * years)
      value += part
      slope += years * part
    }
    const move = (value - price) / slope
    rate += move
    if (Math.abs(move) <= 1e-14 * (1 + Math.abs(rate))) break
  }
  return Math.expm1(rate)
}

/** Macaulay's duration in years. */
export function duration(flows: CashFlows, today: number, yearly: number): number {
  return weighted(flows, today, yearly, (years) => years)
}

/** Σ t (t + 1) × value ÷ (1 + yield)² ÷ price. */
export function convexity(flows: CashFlows, today: number, yearly: number): number {
  return weighted(flows, today, yearly, (years) => years * (years + 1)) / ((1 + yearly) * (1 + yearly))
}

function weighted({ days, amounts, from }: CashFlows, today: number, yearly: number, weight: (years: number) => number): number {
  if (today < from || !(yearly > -1)) return Number.NaN
  const rate = Math.log1p(yearly)
  let value = 0
  let sum = 0
  for (let k = days.length - 1; k >= 0 && days[k] > today; k--) {
    const years = (days[k] - today) / 365
    const part = amounts[k] * Math.exp(-rate * years)
    value += part
    sum += weight(years) * part
  }
  return value > 0 ? sum / value : Number.NaN
}
