import type { PeriodRow } from '@convexa/contract'
import { isoWeek, weekday, weekNumber, yearDays } from '../base/calendar.ts'
import { orNull } from '../base/round.ts'
import { monthNumber, periodGoesOn } from '../simulation/schedule.ts'
import { drawdownsOf } from './drawdowns.ts'
import { leastDays, returnsOf } from './metrics.ts'
import { deviation } from './moments.ts'

export interface PeriodInput {
  /** Days of the run. */
  readonly dates: readonly string[]
  readonly nav: Float64Array
  readonly bench: Float64Array
  /** 1 where the benchmark's value is of the day itself; null where all are. */
  readonly known?: Uint8Array | null
  readonly turnover: Float64Array
  /** Trading day before the run and after it, null where the data have none. */
  readonly before: string | null
  readonly after: string | null
}

type Unit = 'year' | 'month' | 'week'

interface Calendar {
  /** Equal for the days of one period. */
  number(date: string): number
  name(date: string): string
  /** No weekday of the period lies before the day. */
  begins(date: string): boolean
  /** A weekday of the period may lie after it. */
  goesOn(date: string): boolean
}

const calendars: Readonly<Record<Unit, Calendar>> = {
  year: {
    number: (date) => Number(date.slice(0, 4)),
    name: (date) => date.slice(0, 4),
    begins: (date) => date.slice(5, 7) === '01' && beginsMonth(date),
    goesOn: (date) => periodGoesOn(date, 'month') || date.slice(5, 7) !== '12',
  },
  month: { number: monthNumber, name: (date) => date.slice(0, 7), begins: beginsMonth, goesOn: (date) => periodGoesOn(date, 'month') },
  week: { number: weekNumber, name: isoWeek, begins: (date) => weekday(date) === 1, goesOn: (date) => periodGoesOn(date, 'week') },
}

/**
 * Rows by calendar year, month or week. The returns of the rows multiply to the total; `turnover` is the sum of the days';
 * `win_rate` of a year is its share of months with a gain, of a month or week its share of days. A period that the run covers only in
 * part is `partial`, and its volatility is not annualised below 20 days.
 */
export function periodsOf(input: PeriodInput, unit: Unit): PeriodRow[] {
  const { dates, nav, bench, known } = input
  const { number: of, name } = calendars[unit]
  const rows: PeriodRow[] = []
  for (let start = 0; start < dates.length; ) {
    let end = start
    while (end + 1 < dates.length && of(dates[end + 1]) === of(dates[start])) end++
    const navHere = relative(nav, start, end)
    const returns = returnsOf(navHere)
    const own = navHere[navHere.length - 1] - 1
    // Both ends must be the benchmark's own values, or the period has no return of it.
    const isKnown = !known || (known[end] === 1 && known[Math.max(0, start - 1)] === 1)
    const benchReturn = isKnown ? bench[end] / (start === 0 ? 1 : bench[start - 1]) - 1 : Number.NaN
    const days = end - start + 1
    const partial = (start === 0 && beginsBefore(input, unit)) || (end === dates.length - 1 && goesOnAfter(input, unit))
    let turnover = 0
    for (let day = start; day <= end; day++) turnover += input.turnover[day]
    rows.push({
      period: name(dates[start]),
      start: dates[start],
      end: dates[end],
      nav_return: own,
      bench_return: orNull(benchReturn),
      excess: orNull((1 + own) / (1 + benchReturn) - 1),
      max_drawdown: drawdownsOf(navHere).worst?.depth ?? 0,
      volatility: days < 2 || (partial && days < leastDays) ? null : deviation(returns) * Math.sqrt(yearDays),
      win_rate: unit === 'year' ? monthWins(dates, nav, start, end) : returns.filter((r) => r > 0).length / days,
      turnover,
      partial,
    })
    start = end + 1
  }
  return rows
}

/** Share of the months among the days with a gain; null without days. */
export function monthWins(dates: readonly string[], nav: Float64Array, first: number, last: number): number | null {
  let months = 0
  let wins = 0
  for (let start = first; start <= last; ) {
    let end = start
    while (end + 1 <= last && monthNumber(dates[end + 1]) === monthNumber(dates[start])) end++
    months++
    if (nav[end] > (start === 0 ? 1 : nav[start - 1])) wins++
    start = end + 1
  }
  return months === 0 ? null : wins / months
}

/** Net value over a period, 1 before it; it stays 1 where the capital was lost before the period. */
export function relative(nav: Float64Array, start: number, end: number): Float64Array {
  const part = nav.slice(start, end + 1)
  const base = start === 0 ? 1 : nav[start - 1]
  if (base === 0) return part.fill(1)
  if (base !== 1) for (let day = 0; day < part.length; day++) part[day] /= base
  return part
}

function beginsBefore({ before, dates }: PeriodInput, unit: Unit): boolean {
  const { number, begins } = calendars[unit]
  return before === null ? !begins(dates[0]) : number(before) === number(dates[0])
}

function goesOnAfter({ after, dates }: PeriodInput, unit: Unit): boolean {
  const last = dates[dates.length - 1]
  const { number, goesOn } = calendars[unit]
  return after === null ? goesOn(last) : number(after) === number(last)
}

/** Whether a date is the first weekday of its month. */
function beginsMonth(date: string): boolean {
  const dayOfMonth = Number(date.slice(8, 10))
  return dayOfMonth === 1 || (dayOfMonth <= 3 && weekday(date) === 1)
}
