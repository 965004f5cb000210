import type { BinningResult } from '@convexa/contract'
import { orNull } from '../base/round.ts'
import { kurtosis, quantileOfSorted, skewness } from '../report/moments.ts'

/** Days whose values the distribution is drawn from. */
const sampledDays = 60
const distributionBars = 40

/** Values of some sixty days, evenly spread. */
export function sampleOf(x: Float64Array, days: number, count: number): Float64Array {
  const step = Math.max(1, Math.floor(days / sampledDays))
  const values: number[] = []
  for (let day = 0; day < days; day += step) {
    for (let at = day * count; at < (day + 1) * count; at++) if (x[at] === x[at]) values.push(x[at])
  }
  return Float64Array.from(values)
}

/** Between the percentiles 0.5 and 99.5: what lies beyond is counted in the outer bars. */
export function distributionOf(sample: Float64Array): BinningResult['distribution'] {
  const sorted = sample.slice().sort()
  const [low, high] = [quantileOfSorted(sorted, 0.005), quantileOfSorted(sorted, 0.995)]
  const shape = { skew: orNull(skewness(sample)), kurtosis: orNull(kurtosis(sample)) }
  if (!(high > low)) return { edges: [low, low], counts: [sample.length], ...shape }
  const counts = Array<number>(distributionBars).fill(0)
  for (const value of sample) {
    const bar = Math.floor(((value - low) / (high - low)) * distributionBars)
    counts[Math.min(distributionBars - 1, Math.max(0, bar))]++
  }
  return { edges: Array.from({ length: distributionBars + 1 }, (_, k) => low + ((high - low) * k) / distributionBars), counts, ...shape }
}
