import type { Report } from '@convexa/contract/report'
import { pearson } from '@convexa/engine/report'

// How alike two runs are: by their daily returns, and by what they hold.

/** Pearson's, of the days that both have; null below three of them or where one does not move. */
export function correlation(a: readonly number[], b: readonly number[]): number | null {
  const days = Math.min(a.length, b.length)
  const share = pearson(a.slice(0, days), b.slice(0, days))
  return Number.isNaN(share) ? null : share
}

export const dailyReturns = (nav: readonly number[]): number[] => nav.map((value, i) => value / (nav[i - 1] ?? 1) - 1)

/** Every pair once, below the diagonal; the diagonal is 1, above it nothing. */
export function matrixOf<T>(rows: readonly T[], pair: (a: T, b: T) => number | null): (number | null)[][] {
  return rows.map((a, i) => rows.map((b, j) => (i === j ? 1 : j < i ? pair(a, b) : null)))
}

/** Trading days of a year. */
const yearOfDays = 242

type Held = Pick<Report, 'holdings'>

/** 名单重合 over the last year of common days: the mean share of securities that both hold, of those that either holds. Days on which one holds nothing do not count. */
export function listOverlap(a: Held, b: Held, dates: readonly string[]): number | null {
  const [inA, inB] = [heldByDay(a), heldByDay(b)]
  let sum = 0
  let days = 0
  for (const date of dates.slice(-yearOfDays)) {
    const [one, other] = [inA.get(date), inB.get(date)]
    if (!one || !other || one.length === 0 || other.length === 0) continue
    const either = new Set([...one, ...other]).size
    sum += (one.length + other.length - either) / either
    days++
  }
  return days > 0 ? sum / days : null
}

/** Each once: a group that tells its members apart has a security for each of them. */
const heldByDay = ({ holdings: { codes, days } }: Held): Map<string, string[]> =>
  new Map(days.map(({ date, code_index }) => [date, [...new Set(code_index)].flatMap((i) => codes[i] ?? [])]))
