import type { Metrics, PeriodRow, Report, Robustness, Worth } from '@convexa/contract'
import { yearDays } from '../../base/calendar.ts'
import { orNull } from '../../base/round.ts'
import type { Ledger } from '../../simulation/ledger.ts'
import type { Trials } from '../../simulation/request.ts'
import { type DayGain, navWithout } from '../daily-contribution.ts'
import { leastDays, returnsOf } from '../metrics.ts'
import { bandsOf } from './bootstrap.ts'
import { judge } from './checks.ts'
import { type Judgeable, judgedAnew } from './judged.ts'
import { deflatedSharpe, luckThreshold, probabilisticSharpe, type SharpeFigures } from './luck.ts'
import { outOfSample } from './out-of-sample.ts'

/** What the checks of robustness read of a run. */
export interface ChecksInput {
  readonly dates: readonly string[]
  readonly nav: Float64Array
  readonly metrics: Metrics
  /** Where the last part begins that the rule has not seen; null = its last fifth. */
  readonly oosStart: string | null
  readonly months: readonly PeriodRow[]
  readonly years: readonly PeriodRow[]
  /** What the rules of this family score by, in words. */
  readonly family: string
  /** Of a group nothing is varied. */
  readonly isGroup: boolean
  /** Whether it was better than what it is held against; null where there is nothing. */
  readonly worth: Worth | null
  readonly gains: readonly (readonly DayGain[])[]
  readonly ledger: Pick<Ledger, 'equity' | 'capital' | 'gain'>
}

/** Whether it may have been luck: what is left under other counts, other days, other names (product.md 3.8). */
export function robustnessOf(run: ChecksInput, { count }: Trials): Robustness {
  const { dates, nav, metrics } = run
  const returns = returnsOf(nav)
  const { inside, ratio } = outOfSample(dates, nav, run.oosStart)
  const numbers = {
    trials: count,
    family: run.family,
    ...luckOf(metrics, count),
    psr: orNull(probabilisticSharpe(sharpeFigures(metrics), 0)),
    pbo: null,
    oos_ratio: ratio,
    neighbour_std: null,
    drop_best5: { annual_return: annual(navWithout(run.gains, run.ledger, bestFive(run.ledger))) },
    drop_best_month: { annual_return: withoutDays(returns, dates, best(run.months)) },
    worst_year_dropped: worstYearDropped(returns, dates, run.years),
  }
  const about = { days: dates.length, sharpe: metrics.sharpe, annual: metrics.annual_return, inside, isGroup: run.isGroup }
  return { ...numbers, bootstrap: bandsOf(returns), ...judge({ ...numbers, ...about }, run.worth?.state ?? null) }
}

/** What a check grid adds: tries made by now, its own cells counted; its probability of overfitting and the spread around the run's own cell. */
export interface GridEvidence {
  readonly trials: number
  readonly pbo: number | null
  readonly neighbourStd: number | null
  readonly sharpes: readonly number[]
}

/** A stored report judged once more, with its check grid. */
export function judgedWithGrid(
  report: Judgeable & Pick<Report, 'worth'>,
  { trials, pbo, neighbourStd, sharpes }: GridEvidence,
): Robustness {
  const robustness = { ...report.robustness, trials, ...luckOf(report.metrics, trials), pbo, neighbour_std: neighbourStd }
  return { ...robustness, ...judgedAnew(report, report.worth?.state ?? null, robustness, sharpes) }
}

/** What so many tries ask of a Sharpe ratio. */
const luckOf = (metrics: Metrics, trials: number): Pick<Robustness, 'luck_threshold' | 'dsr'> => ({
  luck_threshold: metrics.days >= leastDays ? orNull(luckThreshold(trials, metrics.days / yearDays)) : null,
  dsr: orNull(deflatedSharpe(sharpeFigures(metrics), trials)),
})

const sharpeFigures = (metrics: Metrics): SharpeFigures => ({
  sharpe: (metrics.sharpe ?? Number.NaN) / Math.sqrt(yearDays),
  periods: metrics.days,
  skew: metrics.skew ?? Number.NaN,
  kurtosis: (metrics.kurtosis ?? Number.NaN) + 3,
})

function bestFive({ gain }: Pick<Ledger, 'gain'>): Set<number> {
  const gained = Array.from(gain, (value, security) => ({ value, security })).filter(({ value }) => value > 0)
  return new Set(
    gained
      .sort((a, b) => b.value - a.value || a.security - b.security)
      .slice(0, 5)
      .map(({ security }) => security),
  )
}

function best(rows: readonly PeriodRow[]): PeriodRow | null {
  return rows.reduce<PeriodRow | null>(
    (top, row) => ((row.nav_return ?? 0) > (top?.nav_return ?? Number.NEGATIVE_INFINITY) ? row : top),
    null,
  )
}

/** The year without which the least is left; null of a run within one year. */
function worstYearDropped(returns: Float64Array, dates: readonly string[], years: readonly PeriodRow[]): Robustness['worst_year_dropped'] {
  if (years.length < 2) return null
  let worst: Robustness['worst_year_dropped'] = null
  for (const year of years) {
    const left = withoutDays(returns, dates, year)
    if (left === null || (worst !== null && (worst.annual_return ?? 0) <= left)) continue
    worst = { year: year.period, annual_return: left }
  }
  return worst
}

/** Annual return of the days that are left without those of a period. */
function withoutDays(returns: Float64Array, dates: readonly string[], row: PeriodRow | null): number | null {
  const left = returns.filter((_, day) => row === null || dates[day] < row.start || dates[day] > row.end)
  let value = 1
  const nav = left.map((r) => {
    value *= 1 + r
    return value
  })
  return annual(nav)
}

function annual(nav: Float64Array): number | null {
  return nav.length < leastDays ? null : orNull(nav[nav.length - 1] ** (yearDays / nav.length) - 1)
}
