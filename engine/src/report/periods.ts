import type { PeriodRow } from '@convexa/contract'
import { drawdownCurve } from './drawdowns.ts'
import { deviation, mean } from './moments.ts'

type Span = 'year' | 'month' | 'week'

/** What a table of periods is cut from; see `Course` in metrics.ts. */
interface PeriodCourse {
  readonly dates: readonly string[]
  readonly nav: ArrayLike<number>
  readonly bench: ArrayLike<number> | null
  readonly turnover: ArrayLike<number>
}

/** Days since 1970-01-01 of a civil date, by arithmetic: the engine has no clock. (Hinnant, days_from_civil) */
function dayNumber(date: string): number {
  const month = Number(date.slice(5, 7))
  const y = Number(date.slice(0, 4)) - (month <= 2 ? 1 : 0)
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + Number(date.slice(8, 10)) - 1
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468
}

/** ISO 8601 week, `2023-W05`: the week of its Thursday. */
function isoWeek(date: string): string {
  const number = dayNumber(date)
  const thursday = number - ((number + 3) % 7) + 3
  let year = Number(date.slice(0, 4)) - 1
  while (dayNumber(`${year + 1}-01-01`) <= thursday) year++
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

const keyOf: Record<Span, (date: string) => string> = {
  year: (date) => date.slice(0, 4),
  month: (date) => date.slice(0, 7),
  week: isoWeek,
}

/** A period is partial when the range begins or ends inside it by more than the days a market may be closed in a row. */
const spare: Record<Span, number> = { year: 12, month: 9, week: 0 }

const edges: Record<Span, (key: string) => { first: string; last: string }> = {
  year: (key) => ({ first: `${key}-01-01`, last: `${key}-12-31` }),
  month: (key) => ({ first: `${key}-01`, last: `${key}-31` }),
  week: () => ({ first: '0000-00-00', last: '9999-99-99' }),
}

function isPartial(span: Span, key: string, start: string, end: string, isFirst: boolean, isLast: boolean): boolean {
  if (span === 'week') return false
  const { first, last } = edges[span](key)
  if (isFirst && dayNumber(start) - dayNumber(first) > spare[span]) return true
  return isLast && dayNumber(last) - dayNumber(end) > spare[span]
}

/**
 * The course cut into calendar periods. Returns are from the close before the period to its last close, so that they multiply to
 * the total return; the first one starts from the starting value 1. Volatility is annual; turnover the sum of its days.
 */
export function periodsOf(course: PeriodCourse, span: Span): PeriodRow[] {
  const { dates, nav, bench } = course
  const rows: PeriodRow[] = []
  for (let start = 0; start < dates.length; ) {
    const key = keyOf[span](dates[start])
    let next = start + 1
    while (next < dates.length && keyOf[span](dates[next]) === key) next++
    const before = start === 0 ? 1 : nav[start - 1]
    const benchBefore = bench ? (start === 0 ? 1 : bench[start - 1]) : 1
    const rebased: number[] = []
    const returns: number[] = []
    let turnover = 0
    for (let t = start; t < next; t++) {
      rebased.push(nav[t] / before)
      returns.push(nav[t] / (t === 0 ? 1 : nav[t - 1]) - 1)
      turnover += course.turnover[t]
    }
    const gained = nav[next - 1] / before - 1
    const benchGained = bench ? bench[next - 1] / benchBefore - 1 : null
    const spread = deviation(returns) * Math.sqrt(242)
    rows.push({
      period: key,
      start: dates[start],
      end: dates[next - 1],
      nav_return: gained,
      bench_return: benchGained,
      excess: benchGained === null ? null : (1 + gained) / (1 + benchGained) - 1,
      max_drawdown: drawdownCurve(rebased).reduce((low, x) => Math.min(low, x), 0),
      volatility: Number.isFinite(spread) ? spread : null,
      win_rate: mean(returns.map((x) => (x > 0 ? 1 : 0))),
      turnover,
      partial: isPartial(span, key, dates[start], dates[next - 1], start === 0, next === dates.length),
    })
    start = next
  }
  return rows
}
