import type { Worth } from '@convexa/contract'
import { yearDays } from '../../base/calendar.ts'
import { orNull } from '../../base/round.ts'
import { quantile } from '../moments.ts'
import { blockDays, drawBlocks, samples, seed } from './resample.ts'

/** A curve that a rule is held against: one value for each day of the run, NaN = absent; its level does not matter. */
export interface Reference {
  readonly key: string
  readonly label: string
  readonly values: ArrayLike<number>
}

/** Both statistics must pass: one-sided 5 %. */
const bars = { share: 0.95, t: 1.65 }

/**
 * Whether a rule beat its reference: the annual excess return and its statistical significance.
 * 1. Daily log excess over each reference; one with a missing value is left out.
 * 2. The reference with the smaller excess counts.
 * 3. A circular block bootstrap of the daily excess (its draws are those of `bandsOf`) and the Newey–West t of its mean.
 * `nav`: net value at each close, 1 before the first day. null without a reference, or where a net value is absent.
 */
export function worthOf(nav: ArrayLike<number>, references: readonly Reference[]): Worth | null {
  const days = nav.length
  const usable = references.filter(({ values }) => values.length === days && all(values, (value) => value > 0))
  if (days === 0 || usable.length === 0 || !all(nav, (value) => value >= 0)) return null
  const withExcess = usable.map((reference) => ({ ...reference, excess: dailyExcess(nav, reference.values) }))
  const { key, label, values, excess } = withExcess.reduce((least, one) => (sumOf(one.excess) < sumOf(least.excess) ? one : least))
  const about = {
    against: { key, label },
    end_nav: nav[days - 1],
    end_ref: values[days - 1] / values[0],
    block_days: blockDays,
    n: samples,
    seed,
  }
  if (days < yearDays) {
    return { state: 'short', ...about, excess_annual: null, interval: null, share_above: null, t: null, recent_excess: null }
  }
  if (!all(nav, (value) => value > 0)) {
    return { state: 'no', ...about, excess_annual: -1, interval: [-1, -1], share_above: 0, t: null, recent_excess: null }
  }
  const excessAnnual = yearly(sumOf(excess), days)
  const { share, interval } = resampled(excess)
  const t = neweyWestT(excess)
  const state = excessAnnual <= 0 ? 'no' : share >= bars.share && t >= bars.t ? 'yes' : 'unclear'
  const recent = yearly(sumOf(excess.subarray(days - yearDays)), yearDays)
  return { state, ...about, excess_annual: excessAnnual, interval, share_above: share, t: orNull(t), recent_excess: recent }
}

/** A sum of daily log excess over so many days as the excess of a year. */
const yearly = (sum: number, days: number): number => Math.exp((yearDays / days) * sum) - 1

/** ln(nav / nav before) − ln(ref / ref before); before the first day nav is 1, the reference what it is on that day. */
function dailyExcess(nav: ArrayLike<number>, reference: ArrayLike<number>): Float64Array {
  const excess = new Float64Array(nav.length)
  for (let day = 0; day < nav.length; day++) {
    const own = Math.log(nav[day] / (day === 0 ? 1 : nav[day - 1]))
    excess[day] = day === 0 ? own : own - Math.log(reference[day] / reference[day - 1])
  }
  return excess
}

/** Share of the resampled histories whose excess is above zero, and 5 % and 95 % of what they come to in a year. */
function resampled(excess: Float64Array): { share: number; interval: [number, number] } {
  const days = excess.length
  // Of twice the days, so that a block that runs over the end is one difference too.
  const upTo = new Float64Array(2 * days + 1)
  for (let day = 0; day < 2 * days; day++) upTo[day + 1] = upTo[day] + excess[day % days]
  const sums = new Float64Array(samples)
  drawBlocks(days, (sample, starts) => {
    let sum = 0
    for (let block = 0; block < starts.length; block++) {
      const [from, length] = [starts[block], Math.min(blockDays, days - block * blockDays)]
      sum += upTo[from + length] - upTo[from]
    }
    sums[sample] = sum
  })
  let above = 0
  for (const sum of sums) if (sum > 0) above++
  const years = sums.map((sum) => yearly(sum, days))
  return { share: above / samples, interval: [quantile(years, 0.05), quantile(years, 0.95)] }
}

/**
 * t of the mean by Newey & West (1987), Bartlett weights, ⌊4 (N / 100)^(2/9)⌋ lags, no small-sample correction; NaN where the long-run
 * variance is not positive, or no more than what rounding leaves of values that do not vary.
 */
export function neweyWestT(values: Float64Array): number {
  const days = values.length
  const lags = Math.floor(4 * (days / 100) ** (2 / 9))
  const mean = sumOf(values) / days
  const covariance = (lag: number): number => {
    let sum = 0
    for (let day = lag; day < days; day++) sum += (values[day] - mean) * (values[day - lag] - mean)
    return sum / days
  }
  let variance = covariance(0)
  for (let lag = 1; lag <= lags; lag++) variance += 2 * (1 - lag / (lags + 1)) * covariance(lag)
  return variance > 1e-20 + 1e-12 * mean * mean ? mean / Math.sqrt(variance / days) : Number.NaN
}

function sumOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

function all(values: ArrayLike<number>, holds: (value: number) => boolean): boolean {
  for (let at = 0; at < values.length; at++) if (!holds(values[at])) return false
  return true
}
