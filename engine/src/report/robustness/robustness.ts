import type { Metrics, PeriodRow, Robustness } from '@convexa/contract'
import type { Ledger } from '../../backtest/ledger.ts'
import { type DayGain, navWithout } from '../daily-contribution.ts'
import { leastDays, returnsOf, yearDays } from '../metrics.ts'
import { orNull } from '../round.ts'
import { bandsOf } from './bootstrap.ts'
import { checksOf, verdictOf } from './checks.ts'
import { deflatedSharpe, luckThreshold, probabilisticSharpe } from './luck.ts'

/** How often this has been tried: runs of the same kind with mostly the same factors, this one included. */
export interface Trials {
  readonly count: number
  /** From a grid that this run was a cell of: probability of overfitting, and spread among the neighbours. */
  readonly pbo?: number
  readonly neighbourStd?: number
}

export interface Judged {
  readonly dates: readonly string[]
  readonly nav: Float64Array
  readonly metrics: Metrics
  /** Where the last part begins that the rule has not seen; null = its last fifth. */
  readonly oosStart: string | null
  readonly months: readonly PeriodRow[]
  readonly years: readonly PeriodRow[]
  /** What the rules of this family score by, in words. */
  readonly family: string
  readonly gains: readonly (readonly DayGain[])[]
  readonly ledger: Pick<Ledger, 'equity' | 'capital' | 'gain'>
}

/** Whether it may have been luck: what is left under other counts, other days, other names (product.md 3.8). */
export function robustnessOf(run: Judged, { count, pbo, neighbourStd }: Trials): Robustness {
  const { dates, nav, metrics } = run
  const returns = returnsOf(nav)
  const days = dates.length
  const years = days / yearDays
  const enough = days >= leastDays
  const figures = {
    sharpe: (metrics.sharpe ?? Number.NaN) / Math.sqrt(yearDays),
    periods: days,
    skew: metrics.skew ?? Number.NaN,
    kurtosis: (metrics.kurtosis ?? Number.NaN) + 3,
  }
  const numbers = {
    trials: count,
    family: run.family,
    luck_threshold: enough ? orNull(luckThreshold(count, years)) : null,
    psr: orNull(probabilisticSharpe(figures, 0)),
    dsr: orNull(deflatedSharpe(figures, count)),
    pbo: pbo ?? null,
    oos_ratio: outOfSampleRatio(run),
    neighbour_std: neighbourStd ?? null,
    drop_best5: { annual_return: annual(navWithout(run.gains, run.ledger, bestFive(run.ledger))) },
    drop_best_month: { annual_return: withoutDays(returns, dates, best(run.months)) },
    worst_year_dropped: worstYearDropped(returns, dates, run.years),
  }
  const checks = checksOf({ ...numbers, sharpe: metrics.sharpe, annual: metrics.annual_return, years })
  return { ...numbers, bootstrap: bandsOf(returns), verdict: verdictOf(checks), checks }
}

/** Annual return after the start of the part out of the sample ÷ before it; null when there was no gain before, or too few days. */
function outOfSampleRatio({ dates, nav, oosStart }: Judged): number | null {
  const start = oosStart === null ? Math.floor(dates.length * 0.8) : dates.findIndex((date) => date >= oosStart)
  if (start < leastDays || dates.length - start < leastDays) return null
  const inside = nav[start - 1] ** (yearDays / start) - 1
  const outside = (nav[nav.length - 1] / nav[start - 1]) ** (yearDays / (dates.length - start)) - 1
  return inside > 0 ? orNull(outside / inside) : null
}

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
