import type { Parameters } from '@convexa/contract'
import { periodOf, type RebalancePeriod, rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { weekday, weekNumber } from '../base/calendar.ts'

type Method = Parameters['rebalance_method']

/** What is wrong with a rebalance method, or null. */
export function wrongSchedule(method: Method): string | null {
  const { rebalance_type: type, rebalance_value: value } = method
  const { max: most } = rebalanceTypes[type]
  if (periodOf(method) === null) return value >= 1 ? null : `轮动周期需为 1 至 ${most} 个交易日`
  return value !== 0 && Math.abs(value) <= most ? null : `轮动日需为 1 至 ${most} 或 −1 至 −${most}`
}

/** Every held security may trade on every rebalance day; beyond this many the report of a run does not fit into memory. */
const mostTrades = 1_000_000

/** What is wrong with holding so many that often, or null. */
export function wrongSize(places: number, rebalances: number): string | null {
  return places * rebalances <= mostTrades ? null : `持有 ${places} 只、轮动 ${rebalances} 次，成交笔数过多，请减少持有只数或降低轮动频率`
}

const numbers: Record<RebalancePeriod, (date: string) => number> = { week: weekNumber, month: monthNumber }

/**
 * The rebalance days among dates[first … last], as indices.
 *
 * Type 0: every N-th trading day counted from `first`, which is one. Types 1 and 2: the N-th trading day of each week or month,
 * −1 the last; a week or month of fewer days has its last (first, from the end) instead. A period of which the data may lack
 * the beginning or the end is only counted where that does not matter.
 */
export function rebalanceDays(dates: readonly string[], first: number, last: number, method: Method): Int32Array {
  const { rebalance_value: value } = method
  const days: number[] = []
  const period = periodOf(method)
  if (period === null) {
    for (let t = first; t <= last; t += value) days.push(t)
    return Int32Array.from(days)
  }
  const numberOf = numbers[period]
  for (let start = 0; start < dates.length; ) {
    const number = numberOf(dates[start])
    let end = start
    while (end + 1 < dates.length && numberOf(dates[end + 1]) === number) end++
    const complete = end + 1 < dates.length || !periodGoesOn(dates[end], period)
    const day = nthOf(start, end, value, complete)
    if (day !== null && day >= first && day <= last) days.push(day)
    start = end + 1
  }
  return Int32Array.from(days)
}

function nthOf(start: number, end: number, n: number, complete: boolean): number | null {
  if (n > 0) {
    if (start + n - 1 <= end) return start + n - 1
    return complete && start > 0 ? end : null
  }
  if (!complete || (start === 0 && end + n + 1 < 0)) return null
  return Math.max(start, end + n + 1)
}

export function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
}

/** Whether a weekday remains in the week or month after a date: then the data may just end before the period does. */
export function periodGoesOn(date: string, period: RebalancePeriod): boolean {
  const day = weekday(date)
  if (period === 'week') return day < 5
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const length = month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  for (let rest = Number(date.slice(8, 10)) + 1, next = (day % 7) + 1; rest <= length; rest++, next = (next % 7) + 1)
    if (next <= 5) return true
  return false
}
