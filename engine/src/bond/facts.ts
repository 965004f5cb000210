/**
 * What terms and announcements say of a bond on a day, as a number. Announcements are heard on the trading day after their
 * publication and not before. Dates are written 20270304, days as days since 1970.
 */
import { dayNumber, weekdayOf } from '../panel/calendar.ts'
import type { Security } from '../panel/panel.ts'
import { accruedInterest, interestYears, yearOf } from './cash-flows.ts'
import type { Announcement, AnnouncementKind, BondTerms } from './terms.ts'

/**
 * The number of a security: the same on all days, or by day. Null = its data do not say; where that is so of all securities the
 * field is not available. `days` are the trading days of the panel.
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
    const heard = announcements.flatMap((each) => {
      const value = kinds.includes(each.kind) ? of(each) : null
      return value === null ? [] : [{ day: dayNumber(each.date), value }]
    })
    return heard.length === 0 ? null : (today) => heard.findLast(({ day }) => day < today)?.value ?? Number.NaN
  }

/** The last day of a promise that is still good. */
export const promise =
  (kind: 'no_redeem' | 'no_reset'): Fact =>
  ({ announcements = [] }) => {
    const heard = announcements.flatMap(({ kind: other, date, until }) =>
      other === kind && until ? [{ day: dayNumber(date), until: dayNumber(until), value: written(until) }] : [],
    )
    if (heard.length === 0) return null
    return (today) => {
      const last = heard.findLast(({ day }) => day < today)
      return last && last.until >= today ? last.value : Number.NaN
    }
  }

/** Downward revisions in force until today. */
export const revisions: Fact = ({ terms, announcements = [] }) => {
  const days = announcements.flatMap(({ kind, date, effective }) =>
    kind === 'reset' ? [Math.max(dayNumber(date) + 1, dayNumber(effective ?? date))] : [],
  )
  if (days.length === 0) return terms?.revisionsKnown ? 0 : null
  return (today) => days.filter((day) => day <= today).length
}

/** The last trading day, from when it is public. */
export const lastDay: Fact = ({ lastDay: last, lastDayKnown }) => {
  if (last === null || lastDayKnown === null) return null
  const known = dayNumber(lastDayKnown)
  const value = written(last)
  return (today) => (today >= known ? value : Number.NaN)
}

/** Trading days left until the last one; beyond the panel's own days holidays are not known, so weekdays are counted. */
export const daysToLastDay: Fact = ({ lastDay: last, lastDayKnown }, days) => {
  if (last === null || lastDayKnown === null) return null
  const known = dayNumber(lastDayKnown)
  const end = dayNumber(last)
  let after = 0
  for (let day = (days.at(-1) ?? end) + 1; day <= end; day++) after += Number(weekdayOf(day) <= 5)
  const lastRow = rowOf(days, end)
  return (today) => (today < known || today > end ? Number.NaN : lastRow - rowOf(days, today) + after)
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
