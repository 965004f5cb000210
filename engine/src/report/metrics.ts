import type { MetricKey, Metrics } from '@convexa/contract'
import { yearDays } from '../base/calendar.ts'
import { drawdownsOf } from './drawdowns.ts'
import { covariance, deviation, kurtosis, mean, quantile, skewness, variance } from './moments.ts'

/** Below so many days nothing is annualised (product.md 3.3). */
export const leastDays = 20

/** What the metrics of a run or a part of it are made of. Days of the part only; values relative to the start of the part. */
export interface Performance {
  readonly dates: readonly string[]
  /** Net value at each close, 1 before the first day. */
  readonly nav: Float64Array
  /** The benchmark likewise; null when this is the benchmark itself. */
  readonly bench: Float64Array | null
  /** 1 where the benchmark's value of the day is known, not that of a day before; all are where it is not said. */
  readonly known?: Uint8Array
  /** Share of months with a gain. */
  readonly monthWinRate: number | null
  /** What only a run has; null for a benchmark. */
  readonly run: {
    readonly turnover: Float64Array
    readonly holdCount: Float64Array
    readonly holdingDays: number | null
    readonly trades: number
    readonly fees: number
  } | null
}

type Numbers = Record<MetricKey, number | null>

/** All metrics of a performance (domain.md 5.9): N = number of days, starting value 1 included, risk-free rate 0, ddof 1. */
export function metricsOf(performance: Performance): Metrics {
  const { dates, nav, bench, known, run } = performance
  const days = dates.length
  const returns = returnsOf(nav)
  const benchReturns = bench ? returnsOf(bench) : null
  const own = ratios(returns)
  const { worst, longest } = drawdownsOf(nav)
  const relative = benchReturns ? relativeRatios(returns, benchReturns, known) : null
  const turnover = run ? mean(run.turnover) : Number.NaN
  const numbers: Record<MetricKey, number> = {
    total_return: own.total,
    annual_return: own.annual,
    max_drawdown: worst ? worst.depth : 0,
    recovery_days: worst?.recovered === undefined || worst.recovered < 0 ? Number.NaN : worst.recovered - worst.trough,
    volatility: own.volatility,
    downside_volatility: own.downside,
    sharpe: own.sharpe,
    sortino: own.sortino,
    calmar: worst ? own.annual / Math.abs(worst.depth) : Number.NaN,
    win_rate: own.winRate,
    profit_loss_ratio: own.profitLoss,
    month_win_rate: performance.monthWinRate ?? Number.NaN,
    var95: own.var95,
    cvar95: own.cvar95,
    skew: own.skew,
    kurtosis: own.kurtosis,
    ulcer_index: ulcerIndex(nav),
    longest_drawdown_days: longest,
    worst_day: own.worstDay,
    turnover,
    turnover_annual: turnover * yearDays,
    avg_holdings: run ? mean(run.holdCount) : Number.NaN,
    avg_holding_days: run?.holdingDays ?? Number.NaN,
    trades: run ? run.trades : Number.NaN,
    fees: run ? run.fees : Number.NaN,
    excess_annual: relative ? relative.annual : Number.NaN,
    excess_max_drawdown: relative ? relative.maxDrawdown : Number.NaN,
    information_ratio: relative ? relative.informationRatio : Number.NaN,
    tracking_error: relative ? relative.trackingError : Number.NaN,
    alpha: relative ? relative.alpha : Number.NaN,
    beta: relative ? relative.beta : Number.NaN,
    correlation: relative ? relative.correlation : Number.NaN,
    recent_1y: days >= yearDays ? nav[days - 1] / (days > yearDays ? nav[days - 1 - yearDays] : 1) - 1 : Number.NaN,
  }
  return {
    ...reported(numbers, days),
    max_drawdown_start: worst ? dates[Math.max(0, worst.peak)] : null,
    max_drawdown_end: worst ? dates[worst.trough] : null,
    days,
    start_date: dates[0] ?? '',
    end_date: dates[days - 1] ?? '',
  }
}

/** Annual values of a few days explode: below 20 days they are not told. */
const annual: readonly MetricKey[] = [
  'annual_return',
  'volatility',
  'downside_volatility',
  'sharpe',
  'sortino',
  'calmar',
  'turnover_annual',
  'excess_annual',
  'information_ratio',
  'tracking_error',
  'alpha',
]

function reported(numbers: Record<MetricKey, number>, days: number): Numbers {
  const out: Partial<Numbers> = {}
  for (const key of Object.keys(numbers) as MetricKey[]) out[key] = Number.isFinite(numbers[key]) ? numbers[key] : null
  if (days < leastDays) for (const key of annual) out[key] = null
  return out as Numbers
}

/** Returns by day; the value before the first day is 1. Of nothing there is none: 0 on the days after all was lost. */
export function returnsOf(nav: Float64Array, returns: Float64Array = new Float64Array(nav.length)): Float64Array {
  let before = 1
  for (let day = 0; day < nav.length; day++) {
    returns[day] = before === 0 ? 0 : nav[day] / before - 1
    before = nav[day]
  }
  return returns
}

/** Of each day what was traded, bought and sold halved, as a share of what there was before; 0 where there was nothing. */
export function turnoverOf(
  { bought, sold, before }: Readonly<Record<'bought' | 'sold' | 'before', Float64Array>>,
  turnover: Float64Array = new Float64Array(before.length),
): Float64Array {
  for (let day = 0; day < before.length; day++) turnover[day] = before[day] === 0 ? 0 : (bought[day] + sold[day]) / 2 / before[day]
  return turnover
}

/** Figures of a series of daily returns; NaN where there is nothing to compute from. */
export function ratios(returns: Float64Array) {
  const average = mean(returns)
  const spread = deviation(returns)
  const gains = returns.filter((r) => r > 0)
  const losses = returns.filter((r) => r < 0)
  const downside = deviation(losses)
  const var95 = quantile(returns, 0.05)
  return {
    ...growthOf(returns),
    volatility: spread * Math.sqrt(yearDays),
    downside: downside * Math.sqrt(yearDays),
    sharpe: sharpeOf(returns),
    sortino: (average / downside) * Math.sqrt(yearDays),
    winRate: winRateOf(returns),
    profitLoss: mean(gains) / Math.abs(mean(losses)),
    var95,
    cvar95: mean(returns.filter((r) => r <= var95)),
    worstDay: returns.reduce((least, r) => Math.min(least, r), Number.POSITIVE_INFINITY),
    skew: skewness(returns),
    kurtosis: kurtosis(returns),
  }
}

/** What a series of daily returns comes to, and a year of it. */
export function growthOf(returns: Float64Array): { total: number; annual: number } {
  let value = 1
  for (let day = 0; day < returns.length; day++) value *= 1 + returns[day]
  return { total: value - 1, annual: value ** (yearDays / returns.length) - 1 }
}

/** Of a day: not annualised. */
export function sharpePerDay(returns: Float64Array): number {
  const average = mean(returns)
  return average / deviation(returns, average)
}

export const sharpeOf = (returns: Float64Array): number => ofYear(sharpePerDay(returns))

/** The Sharpe ratio of a year from that of a day. */
export const ofYear = (perDay: number): number => perDay * Math.sqrt(yearDays)

/** Share of the days with a gain. */
export function winRateOf(returns: Float64Array): number {
  let gains = 0
  for (let day = 0; day < returns.length; day++) if (returns[day] > 0) gains++
  return gains / returns.length
}

/** Whether both ends of a day's return are known; the first day's is measured from the start. */
export const isPaired = (known: Uint8Array, day: number): boolean => known[day] === 1 && (day === 0 || known[day - 1] === 1)

/**
 * Figures of a series against a benchmark's of the same days. The excess is the relative value, never a difference of ratios; statistics of
 * pairs leave out days of which the benchmark has no return of its own (`known`).
 */
export function relativeRatios(all: Float64Array, allOfBench: Float64Array, known?: Uint8Array) {
  const days = all.length
  const whole = relativeCourse(all, allOfBench)
  const returns = known ? all.filter((_, day) => isPaired(known, day)) : all
  const bench = known ? allOfBench.filter((_, day) => isPaired(known, day)) : allOfBench
  const difference = returns.map((r, day) => r - bench[day])
  const spread = deviation(difference)
  const beta = covariance(returns, bench) / variance(bench)
  return {
    annual: whole[days - 1] ** (yearDays / days) - 1,
    maxDrawdown: drawdownsOf(known ? whole.filter((_, day) => known[day] === 1) : whole).worst?.depth ?? 0,
    trackingError: spread * Math.sqrt(yearDays),
    informationRatio: (mean(difference) / spread) * Math.sqrt(yearDays),
    alpha: (mean(returns) - beta * mean(bench)) * yearDays,
    beta,
    correlation: covariance(returns, bench) / (deviation(returns) * deviation(bench)),
  }
}

/** Of each day what one series has come to as a multiple of another. */
function relativeCourse(returns: Float64Array, bench: Float64Array): Float64Array {
  let value = 1
  return returns.map((r, day) => {
    value *= (1 + r) / (1 + bench[day])
    return value
  })
}

function ulcerIndex(nav: Float64Array): number {
  let high = 1
  let squares = 0
  for (const value of nav) {
    high = Math.max(high, value)
    squares += (value / high - 1) ** 2
  }
  return Math.sqrt(squares / nav.length)
}
