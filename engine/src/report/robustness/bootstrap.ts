import { yearDays } from '../../base/calendar.ts'
import { quantile } from '../moments.ts'
import { blockDays, drawBlocks, samples, seed } from './resample.ts'

/** Margin of error of a metric: its 5 %, 50 % and 95 % quantiles over resampled histories. */
type Band = readonly [low: number, middle: number, high: number]

export interface Bands {
  readonly annual_return: Band
  readonly sharpe: Band
  readonly max_drawdown: Band
  readonly block_days: number
  readonly seed: number
  readonly n: number
}

/** Confidence bands of the metrics by circular block bootstrap (`drawBlocks`), which keeps runs of good and bad days together. null for fewer than three blocks of days. */
export function bandsOf(returns: Float64Array): Bands | null {
  const days = returns.length
  if (days < 3 * blockDays) return null
  const annual = new Float64Array(samples)
  const sharpe = new Float64Array(samples)
  const fall = new Float64Array(samples)
  // All that is counted is local to a history: variables that outlive a callback are slow.
  drawBlocks(days, (k, starts) => {
    let [value, high, worst, sum, squares] = [1, 1, 0, 0, 0]
    let left = days
    for (let block = 0; block < starts.length; block++) {
      let at = starts[block]
      const length = Math.min(blockDays, left)
      for (let day = 0; day < length; day++) {
        const r = returns[at]
        at = at + 1 === days ? 0 : at + 1
        value *= 1 + r
        if (value > high) high = value
        const depth = value / high - 1
        if (depth < worst) worst = depth
        sum += r
        squares += r * r
      }
      left -= length
    }
    const mean = sum / days
    const variance = (squares - days * mean * mean) / (days - 1)
    annual[k] = value ** (yearDays / days) - 1
    // Rounding leaves a hair of returns that do not vary.
    sharpe[k] = variance > 1e-12 * (squares / days) ? (mean / Math.sqrt(variance)) * Math.sqrt(yearDays) : 0
    fall[k] = worst
  })
  const band = (values: Float64Array): Band => [quantile(values, 0.05), quantile(values, 0.5), quantile(values, 0.95)]
  return { annual_return: band(annual), sharpe: band(sharpe), max_drawdown: band(fall), block_days: blockDays, seed, n: samples }
}
