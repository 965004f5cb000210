/**
 * What terms and announcements say of a bond on a day, as a number. Announcements are heard on the trading day after their
 * publication and not before. Dates are written 20270304, days as days since 1970.
 */
import { dayNumber, weekdayOf } from '../base/calendar.ts'
import { type Announcement, type AnnouncementKind, type BondTerms, endOfPromise } from '../panel/bond-terms.ts'
import { lastDaysOf } from '../panel/last-day.ts'
import type { Security } from '../panel/panel.ts'
import { accruedInterest, interestYears, yearOf } from './cash-flows.ts'

/**
 * The number of a security: the same on all days, or by day. Null = its data do not say; where that is so of all securities the
 * field is not available. `days` are the trading days of the panel and those behind it that are known.
 */
export type Fact = (security: Security, days: Float64Array) => number | ((today: number) => number) | null

/** A number of the terms. */
export const term =
  (of: (terms: BondTerms) => number | null | undefined): Fact =>
  ({ terms }) =>
    (terms && of(terms)) ?? null

/** A date that has been public since the listing. */
export const dateOf =
  (of: (security: Security) => string | null | undefined): Fact =>
  (security) => {
    const date = of(security)
    return date ? written(date) : null
  }

/** Days from today to a date, plus `and`; negative when it is past. */
export const daysUntil =
  (of: (terms: BondTerms) => string | null | undefined, and = 0): Fact =>
  ({ terms }) => {
    const date = terms && of(terms)
    if (!date) return null
    const then = dayNumber(date) + and
    return (today) => then - today
  }

/** 1 from a day on, 0 before. */
export const since =
  (of: (terms: BondTerms) => string | null | undefined): Fact =>
  ({ terms }) => {
    const date = terms && of(terms)
    if (!date) return null
    const then = dayNumber(date)
    return (today) => Number(today >= then)
  }

export const couponNow: Fact = ({ terms }) => {
  const years = terms ? interestYears(terms) : []
  return years.length === 0 ? null : (today) => (yearOf(years, today)?.coupon ?? Number.NaN) / 100
}

export const accruedNow: Fact = ({ terms }) => {
  const years = terms ? interestYears(terms) : []
  return years.length === 0 ? null : (today) => accruedInterest(years, today)
}

/** What the newest announcement of these kinds says. */
export const announced =
  (kinds: readonly AnnouncementKind[], of: (announcement: Announcement) => number | null): Fact =>
  ({ announcements = [] }) => {
    const notices = announcements.flatMap((each) => {
      const value = kinds.includes(each.kind) ? of(each) : null
      return value === null ? [] : [{ day: dayNumber(each.date), value }]
    })
    return notices.length === 0 ? null : (today) => notices.findLast(({ day }) => day < today)?.value ?? Number.NaN
  }

/** The last day of a stated promise that is still good; of one without a date that of six months. */
export const promise =
  (kind: 'no_redeem' | 'no_reset'): Fact =>
  ({ announcements = [] }) => {
    const notices = announcements.flatMap((each) => {
      const { until } = endOfPromise(each)
      return each.kind === kind ? [{ day: dayNumber(each.date), until: dayNumber(until), value: written(until) }] : []
    })
    if (notices.length === 0) return null
    return (today) => {
      const last = notices.findLast(({ day }) => day < today)
      return last && last.until >= today ? last.value : Number.NaN
    }
  }

/** Downward revisions in force until today, where all of them are known. */
export const revisions: Fact = ({ terms, announcements = [] }) => {
  if (!terms?.revisionsKnown) return null
  const days = announcements.flatMap(({ kind, date, effective }) =>
    kind === 'reset' ? [Math.max(dayNumber(date) + 1, dayNumber(effective ?? date))] : [],
  )
  if (days.length === 0) return 0
  return (today) => days.filter((day) => day <= today).length
}

/** The last trading day, as it was known on each day. */
export const lastDay: Fact = (security) => {
  const known = lastDaysOf(security).map((entry) => ({
    from: dayNumber(entry.known),
    value: entry.day === null ? Number.NaN : written(entry.day),
  }))
  return known.length === 0 ? null : (today) => known.findLast(({ from }) => from <= today)?.value ?? Number.NaN
}

/** Trading days left until the last one; beyond the days that are known weekdays are counted. */
export const daysToLastDay: Fact = (security, days) => {
  const entries = lastDaysOf(security).map(({ known, day }) => {
    const end = day === null ? Number.NaN : dayNumber(day)
    let after = 0
    for (let at = (days.at(-1) ?? end) + 1; at <= end; at++) after += Number(weekdayOf(at) <= 5)
    return { from: dayNumber(known), end, left: rowOf(days, end) + after }
  })
  if (entries.length === 0) return null
  return (today) => {
    const entry = entries.findLast(({ from }) => from <= today)
    return entry && today <= entry.end ? entry.left - rowOf(days, today) : Number.NaN
  }
}

/** 20270304. */
export function written(date: string): number {
  return Number(date.slice(0, 4)) * 10_000 + Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10))
}

/** Index of the last day ≤ today. */
function rowOf(days: Float64Array, today: number): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (days[middle] <= today) low = middle + 1
    else high = middle
  }
  return low - 1
}
