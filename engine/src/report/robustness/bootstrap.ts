import { yearDays } from '../metrics.ts'
import { quantile } from '../moments.ts'

/** 5 %, 50 % and 95 % of what a resampled history would have given. */
export type Band = readonly [low: number, middle: number, high: number]

export interface Bands {
  readonly annual_return: Band
  readonly sharpe: Band
  readonly max_drawdown: Band
  readonly block_days: number
  readonly seed: number
  readonly n: number
}

const blockDays = 20
const samples = 1_000
const seed = 20_240_817

/**
 * The same days in another order: histories of the same length made of blocks of 20 neighbouring days drawn with replacement
 * (circular block bootstrap, Politis & Romano 1992), so that runs of good and bad days stay together. The seed is fixed:
 * the same returns give the same bands. null of fewer than three blocks.
 */
export function bandsOf(returns: Float64Array): Bands | null {
  const days = returns.length
  if (days < 3 * blockDays) return null
  const next = uniform(seed)
  const annual = new Float64Array(samples)
  const sharpe = new Float64Array(samples)
  const fall = new Float64Array(samples)
  for (let k = 0; k < samples; k++) {
    let [value, high, worst, sum, squares] = [1, 1, 0, 0, 0]
    for (let day = 0; day < days; ) {
      let at = Math.floor(next() * days)
      const end = Math.min(days, day + blockDays)
      for (; day < end; day++) {
        const r = returns[at]
        at = at + 1 === days ? 0 : at + 1
        value *= 1 + r
        if (value > high) high = value
        const depth = value / high - 1
        if (depth < worst) worst = depth
        sum += r
        squares += r * r
      }
    }
    const mean = sum / days
    const variance = (squares - days * mean * mean) / (days - 1)
    annual[k] = value ** (yearDays / days) - 1
    // Rounding leaves a hair of returns that do not vary.
    sharpe[k] = variance > 1e-12 * (squares / days) ? (mean / Math.sqrt(variance)) * Math.sqrt(yearDays) : 0
    fall[k] = worst
  }
  const band = (values: Float64Array): Band => [quantile(values, 0.05), quantile(values, 0.5), quantile(values, 0.95)]
  return { annual_return: band(annual), sharpe: band(sharpe), max_drawdown: band(fall), block_days: blockDays, seed, n: samples }
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function uniform(start: number): () => number {
  let state = start | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
