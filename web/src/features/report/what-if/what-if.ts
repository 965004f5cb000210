import type { Metrics } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import { metricsOf } from '@convexa/engine/report'

// What a report would say without some stretches of its days, or without what some securities earned: recomputed from the stored series
// by the engine's own definitions. Nothing is traded again: the money of a security that is left out lies idle, a day that is left out is not.

/** Days from one to another, both included. */
export interface ReportRange {
  from: string
  to: string
}

export interface Changed {
  metrics: Metrics
  bench: Metrics
  /** The days that are left, with the net values over them. */
  dates: string[]
  nav: number[]
}

type Curved = Pick<Report, 'curves'>
type WithGains = Pick<Report, 'curves' | 'daily_contribution'>

/** Securities that earned most, the best first, as the engine orders them: only gains, equal ones by code. */
export function mostProfitable({ contributions }: Pick<Report, 'contributions'>, count: number): string[] {
  return contributions
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.pnl - a.pnl || (a.code < b.code ? -1 : 1))
    .slice(0, count)
    .map(({ code }) => code)
}

/** Daily returns of the run without what some securities earned; a day's gain is measured against the run's own value the day before. */
export function returnsWithout({ curves, daily_contribution: daily }: WithGains, codes: readonly string[]): number[] {
  if (codes.length === 0) return returnsOf(curves, new Map())
  const left = new Set(codes.map((code) => daily.codes.indexOf(code)))
  const taken = new Map(
    daily.days.map(({ date, code_index, value }) => [
      date,
      code_index.reduce((sum, code, i) => (left.has(code) ? sum + (value[i] ?? 0) : sum), 0),
    ]),
  )
  return returnsOf(curves, taken)
}

/** `taken`: by date, what is taken off the net value of the day. */
function returnsOf(curves: Report['curves'], taken: ReadonlyMap<string, number>): number[] {
  return curves.nav.map((value, day) => {
    const before = curves.nav[day - 1] ?? 1
    // Of nothing there is no return, as in the engine's own.
    if (before === 0) return 0
    return ((value ?? before) - (taken.get(curves.dates[day] ?? '') ?? 0)) / before - 1
  })
}

const within = (date: string, stretches: readonly ReportRange[]) => stretches.some(({ from, to }) => date >= from && date <= to)

/** The figures of a report without some stretches and some securities. */
export const withoutThem = (report: WithGains, stretches: readonly ReportRange[], codes: readonly string[]): Changed =>
  changed(report, stretches, returnsWithout(report, codes))

/** The figures of a report without some stretches. */
export const withoutStretches = (report: Curved, stretches: readonly ReportRange[]): Changed =>
  changed(report, stretches, returnsOf(report.curves, new Map()))

function changed(report: Curved, stretches: readonly ReportRange[], own: readonly number[]): Changed {
  const { dates, bench } = report.curves
  const kept = dates.flatMap((date, day) => (within(date, stretches) ? [] : [day]))
  const its = bench.map((value, day) => (value ?? 1) / (bench[day - 1] ?? 1) - 1)
  const left = kept.map((day) => dates[day] ?? '')
  const nav = chained(own, kept)
  const benchNav = chained(its, kept)
  const figures = { dates: left, monthWinRate: null, run: null }
  return {
    metrics: metricsOf({ ...figures, nav, bench: benchNav }),
    bench: metricsOf({ ...figures, nav: benchNav, bench: null }),
    dates: left,
    nav: [...nav],
  }
}

function chained(returns: readonly number[], days: readonly number[]): Float64Array {
  let value = 1
  return Float64Array.from(days, (day) => (value *= 1 + (returns[day] ?? 0)))
}

/** One stretch of the report as it was: what strategy and benchmark did in it. */
export function stretchFigures({ curves }: Pick<Report, 'curves'>, { from, to }: ReportRange) {
  const { dates, nav, bench } = curves
  const first = dates.findIndex((date) => date >= from)
  const last = dates.findLastIndex((date) => date <= to)
  if (first < 0 || last < first) return null
  const over = (values: readonly (number | null)[], start: number) => {
    const [a, b] = [first === 0 ? start : values[first - 1], values[last]]
    return a === null || a === undefined || b === null || b === undefined ? null : b / a - 1
  }
  let high = nav[first - 1] ?? 1
  let depth = 0
  for (let day = first; day <= last; day++) {
    const value = nav[day]
    if (value === null || value === undefined) continue
    high = Math.max(high, value)
    depth = Math.min(depth, value / high - 1)
  }
  return { days: last - first + 1, from: dates[first] ?? '', to: dates[last] ?? '', own: over(nav, 1), bench: over(bench, 1), depth }
}

/** Stretches as a set: overlapping and touching ones become one, in the order of time. */
export function merged(stretches: readonly ReportRange[]): ReportRange[] {
  const out: ReportRange[] = []
  for (const one of [...stretches].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const before = out.at(-1)
    if (before && one.from <= before.to) before.to = before.to > one.to ? before.to : one.to
    else out.push({ ...one })
  }
  return out
}
