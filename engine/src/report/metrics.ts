import type { Metrics } from '@convexa/contract'
import { deepest, drawdownCurve, fallsOf, longestUnderWater } from './drawdowns.ts'
import { covariance, deviation, kurtosis, mean, quantile, skewness, variance } from './moments.ts'
import { periodsOf } from './periods.ts'

export const tradingDaysPerYear = 242
/** Fewer days are never annualised. */
export const leastDays = 20

/** What the metrics are computed from: one value a trading day. Starting value 1 before the first day. */
export interface Course {
  readonly dates: readonly string[]
  /** After costs, as multiples of the starting capital. */
  readonly nav: ArrayLike<number>
  /** Benchmark, 1 at the first day's close; null where there is none. */
  readonly bench: ArrayLike<number> | null
  /** (bought + sold) / 2 / equity of the day, fractions. */
  readonly turnover: ArrayLike<number>
  readonly holdCount: ArrayLike<number>
  /** Number of fills. */
  readonly trades: number
  /** Yuan. */
  readonly fees: number
  /** Trading days from buy to sell of each closed position. */
  readonly holdingDays: ArrayLike<number>
}

/** Changes from day to day, the first one from the starting value 1. */
export function returnsOf(nav: ArrayLike<number>): Float64Array {
  const returns = new Float64Array(nav.length)
  for (let t = 0; t < nav.length; t++) returns[t] = nav[t] / (t === 0 ? 1 : nav[t - 1]) - 1
  return returns
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null)
const perYear = Math.sqrt(tradingDaysPerYear)
const annualised = (total: number, days: number) => (1 + total) ** (tradingDaysPerYear / days) - 1

/**
 * All metrics of a course (domain.md 5.9): 242 days a year, risk-free rate 0, ddof 1, starting value 1 included.
 * null = not computable; annual values are null below `least` days.
 */
export function metricsOf(course: Course, least = leastDays): Metrics {
  const { dates, nav, bench } = course
  const days = dates.length
  const r = returnsOf(nav)
  const total = nav[days - 1] - 1
  const long = days >= least
  const annual = long ? annualised(total, days) : Number.NaN
  const spread = deviation(r)
  const gains = r.filter((x) => x > 0)
  const losses = r.filter((x) => x < 0)
  const falls = fallsOf(nav)
  const worst = deepest(falls)
  const tail = quantile(r, 0.05)
  const months = periodsOf(course, 'month')
  const turnover = mean(course.turnover)
  return {
    total_return: known(total),
    annual_return: known(annual),
    max_drawdown: worst?.depth ?? 0,
    max_drawdown_start: worst ? dates[Math.max(0, worst.peak)] : null,
    max_drawdown_end: worst ? dates[worst.trough] : null,
    recovery_days: worst?.end == null ? null : worst.end - worst.trough,
    volatility: long ? known(spread * perYear) : null,
    downside_volatility: long ? known(deviation(losses) * perYear) : null,
    sharpe: long && spread > 0 ? known((mean(r) / spread) * perYear) : null,
    sortino: long ? known((mean(r) / deviation(losses)) * perYear) : null,
    calmar: worst ? known(annual / Math.abs(worst.depth)) : null,
    win_rate: known(gains.length / days),
    profit_loss_ratio: known(mean(gains) / Math.abs(mean(losses))),
    month_win_rate: known(months.filter((m) => (m.nav_return ?? 0) > 0).length / months.length),
    var95: known(tail),
    cvar95: known(mean(r.filter((x) => x <= tail))),
    skew: known(skewness(r)),
    kurtosis: known(kurtosis(r)),
    ulcer_index: known(Math.sqrt(mean(drawdownCurve(nav).map((x) => x * x)))),
    longest_drawdown_days: longestUnderWater(falls, days),
    worst_day: known(r.reduce((low, x) => Math.min(low, x), Number.POSITIVE_INFINITY)),
    turnover: known(turnover),
    turnover_annual: known(turnover * tradingDaysPerYear),
    avg_holdings: known(mean(course.holdCount)),
    avg_holding_days: known(mean(course.holdingDays)),
    trades: course.trades,
    fees: course.fees,
    recent_1y:
      days >= tradingDaysPerYear ? known(nav[days - 1] / (days > tradingDaysPerYear ? nav[days - 1 - tradingDaysPerYear] : 1) - 1) : null,
    ...against(nav, r, bench, long),
    days,
    start_date: dates[0],
    end_date: dates[days - 1],
  }
}

type Against = Pick<
  Metrics,
  'excess_annual' | 'excess_max_drawdown' | 'information_ratio' | 'tracking_error' | 'alpha' | 'beta' | 'correlation'
>

/** Figures against the benchmark: from the relative curve and the daily differences, never from ratios of annual figures. */
function against(nav: ArrayLike<number>, r: Float64Array, bench: ArrayLike<number> | null, long: boolean): Against {
  if (!bench) {
    return {
      excess_annual: null,
      excess_max_drawdown: null,
      information_ratio: null,
      tracking_error: null,
      alpha: null,
      beta: null,
      correlation: null,
    }
  }
  const days = nav.length
  const b = returnsOf(bench)
  const relative = Float64Array.from(bench, (value, t) => nav[t] / value)
  const difference = r.map((x, t) => x - b[t])
  const error = deviation(difference)
  const beta = covariance(r, b) / variance(b)
  return {
    excess_annual: long ? known(annualised(relative[days - 1] - 1, days)) : null,
    excess_max_drawdown: known(deepest(fallsOf(relative))?.depth ?? 0),
    information_ratio: long && error > 0 ? known((mean(difference) / error) * perYear) : null,
    tracking_error: long ? known(error * perYear) : null,
    alpha: long ? known((mean(r) - beta * mean(b)) * tradingDaysPerYear) : null,
    beta: known(beta),
    correlation: known(covariance(r, b) / (deviation(r) * deviation(b))),
  }
}
