import type { Report } from '@convexa/contract'
import { yearDays } from '../base/calendar.ts'
import { orNull, rounded } from '../base/round.ts'
import { isPaired, returnsOf } from './metrics.ts'

/** Trading days of the windows that a report offers. */
const rollingWindows = [60, 120, 250, 500] as const

/**
 * Return, Sharpe ratio, volatility, and beta and correlation to the benchmark over the last n days, of each day from the n-th on.
 * Values relative to the start of the run. A window longer than the run is left out; one with days of which the benchmark has no return of
 * its own (`known`) has no beta and no correlation.
 */
export function rollingOf(
  dates: readonly string[],
  nav: Float64Array,
  bench: Float64Array,
  known: Uint8Array | null = null,
): Report['rolling'] {
  const unpaired = running(nav, (_, day) => Number(known !== null && !isPaired(known, day)))
  const isWhole = (day: number, window: number) => unpaired[day + 1] === unpaired[day + 1 - window]
  const own = sumsOf(returnsOf(nav), returnsOf(bench))
  return rollingWindows
    .filter((window) => window <= dates.length)
    .map((window) => {
      const days = Array.from({ length: dates.length - window + 1 }, (_, k) => k + window - 1)
      const of = (figure: (day: number) => number) => days.map((day) => orNull(rounded(figure(day))))
      const ofPairs = (figure: (day: number) => number) => of((day) => (isWhole(day, window) ? figure(day) : Number.NaN))
      return {
        window,
        dates: days.map((day) => dates[day]),
        return_: of((day) => nav[day] / (day < window ? 1 : nav[day - window]) - 1),
        sharpe: of((day) => (own.mean(day, window) / Math.sqrt(own.variance(day, window))) * Math.sqrt(yearDays)),
        volatility: of((day) => Math.sqrt(own.variance(day, window) * yearDays)),
        beta: ofPairs((day) => own.covariance(day, window) / own.benchVariance(day, window)),
        correlation: ofPairs((day) => own.covariance(day, window) / Math.sqrt(own.variance(day, window) * own.benchVariance(day, window))),
      }
    })
}

/** Running sums of two series about their means; of a window in which one does not change, its variance is exactly 0. */
function sumsOf(x: Float64Array, y: Float64Array) {
  const [cx, cy] = [average(x), average(y)]
  const sums = { x: running(x, (r) => r - cx), xx: running(x, (r) => (r - cx) ** 2) }
  const bench = { x: running(y, (r) => r - cy), xx: running(y, (r) => (r - cy) ** 2) }
  const xy = running(x, (r, day) => (r - cx) * (y[day] - cy))
  const [sameX, sameY] = [sameFor(x), sameFor(y)]
  const over = (sum: Float64Array, day: number, window: number) => sum[day + 1] - sum[day + 1 - window]
  const spread = (s: typeof sums, same: Int32Array, day: number, window: number) => {
    if (same[day] >= window) return 0
    const first = over(s.x, day, window)
    return Math.max(0, over(s.xx, day, window) - (first * first) / window) / (window - 1)
  }
  return {
    mean: (day: number, window: number) => cx + over(sums.x, day, window) / window,
    variance: (day: number, window: number) => spread(sums, sameX, day, window),
    benchVariance: (day: number, window: number) => spread(bench, sameY, day, window),
    covariance: (day: number, window: number) =>
      (over(xy, day, window) - (over(sums.x, day, window) * over(bench.x, day, window)) / window) / (window - 1),
  }
}

function average(x: Float64Array): number {
  return x.reduce((sum, value) => sum + value, 0) / x.length
}

function running(x: Float64Array, of: (value: number, day: number) => number): Float64Array {
  const sums = new Float64Array(x.length + 1)
  for (let day = 0; day < x.length; day++) sums[day + 1] = sums[day] + of(x[day], day)
  return sums
}

/** For how many days up to each the value has been the same. */
function sameFor(x: Float64Array): Int32Array {
  const days = new Int32Array(x.length)
  for (let day = 0; day < x.length; day++) days[day] = day > 0 && x[day] === x[day - 1] ? days[day - 1] + 1 : 1
  return days
}
