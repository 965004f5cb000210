import type { Metrics } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import { metricsOf, yearDays } from '@convexa/engine/report'
import { monthReturns } from '../../report/series.ts'

// Several runs on the days that all of them have, each from 1; figures by the engine's own definitions.

export interface OnRange {
  dates: readonly string[]
  /** Net value at each close, 1 before the first of the days. */
  nav: number[]
  bench: (number | null)[]
  drawdown: number[]
}

type Curved = Pick<Report, 'curves'>

/** Days that every run has a value on. */
export function commonDays(reports: readonly Curved[]): string[] {
  const [first, ...others] = reports
  if (!first) return []
  const sets = others.map(({ curves }) => new Set(curves.dates))
  return first.curves.dates.filter((date) => sets.every((days) => days.has(date)))
}

/** A run on some of its days; its first return is measured from its own day before. */
export function onRange({ curves }: Curved, dates: readonly string[]): OnRange {
  const at = new Map(curves.dates.map((date, i) => [date, i]))
  const places = dates.map((date) => at.get(date) ?? -1)
  const start = places[0] ?? 0
  const from = start > 0 ? (curves.nav[start - 1] ?? 1) : 1
  const benchFrom = start > 0 ? (curves.bench[start - 1] ?? null) : (curves.bench[0] ?? null)
  const nav = places.map((place) => (curves.nav[place] ?? from) / from)
  const bench = places.map((place) => {
    const value = curves.bench[place]
    return value === null || value === undefined || !benchFrom ? null : value / benchFrom
  })
  let high = 1
  const drawdown = nav.map((value) => value / (high = Math.max(high, value)) - 1)
  return { dates, nav, bench, drawdown }
}

/** The figures of a run on those days alone. What only a whole run knows (trades, days held, out of sample) is null. */
export function metricsOn(report: Curved, range: OnRange): Metrics {
  const { dates, nav, bench } = range
  const months = monthReturns(dates, nav, bench)
  const whole = bench.every((value) => value !== null)
  const at = new Map(report.curves.dates.map((date, i) => [date, i]))
  const turnovers = dates.flatMap((date) => report.curves.turnover[at.get(date) ?? -1] ?? [])
  const metrics = metricsOf({
    dates,
    nav: Float64Array.from(nav),
    bench: whole ? Float64Array.from(bench, (value) => value ?? 1) : null,
    monthWinRate: months.length > 0 ? months.filter((month) => month.nav > 0).length / months.length : null,
    run: null,
  })
  const turnover = turnovers.length > 0 ? turnovers.reduce((sum, one) => sum + one, 0) / turnovers.length : null
  return { ...metrics, turnover, turnover_annual: turnover === null ? null : turnover * yearDays, oos: null }
}

export interface YearReturn {
  year: string
  value: number
  /** The range has not all of it. */
  partial: boolean
}

/** Returns by calendar year; a year is partial where the range begins or ends inside it. */
export function yearsOn({ dates, nav }: Pick<OnRange, 'dates' | 'nav'>): YearReturn[] {
  const years: YearReturn[] = []
  let from = 1
  for (const [i, date] of dates.entries()) {
    const year = date.slice(0, 4)
    if (i < dates.length - 1 && dates[i + 1]?.startsWith(year)) continue
    const value = nav[i] ?? from
    const firstDay = dates.find((one) => one.startsWith(year)) ?? date
    // Holidays keep no year whole to the day: within its first and last ten days it counts as whole.
    const partial = firstDay.slice(5) > '01-10' || date.slice(5) < '12-21'
    years.push({ year, value: value / from - 1, partial })
    from = value
  }
  return years
}
