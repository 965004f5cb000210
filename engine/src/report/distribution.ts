import type { Report } from '@convexa/contract'
import { rounded } from '../base/round.ts'

const extremes = 10
const mostBins = 60

/** Returns by day and by month as histograms, and the best and the worst days. Equal days stand in the order of time. */
export function distributionOf(dates: readonly string[], daily: Float64Array, monthly: readonly number[]): Report['distribution'] {
  const days = Array.from(daily, (value, day) => ({ date: dates[day], return_: value }))
  const roundedDay = ({ date, return_ }: { date: string; return_: number }) => ({ date, return_: rounded(return_) })
  return {
    daily: histogram(daily, 0.0025),
    monthly: histogram(monthly, 0.01),
    best: [...days]
      .sort((a, b) => b.return_ - a.return_)
      .slice(0, extremes)
      .map(roundedDay),
    worst: [...days]
      .sort((a, b) => a.return_ - b.return_)
      .slice(0, extremes)
      .map(roundedDay),
  }
}

/**
 * Counts between edges that are multiples of a step, doubled until they are at most 60: 0 is always an edge, so gains and losses
 * never share a bar. A value on an edge counts to the bar above it.
 */
export function histogram(values: ArrayLike<number>, step: number): { edges: number[]; counts: number[] } {
  if (values.length === 0) return { edges: [], counts: [] }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let k = 0; k < values.length; k++) {
    low = Math.min(low, values[k])
    high = Math.max(high, values[k])
  }
  let width = step
  const first = () => Math.floor(low / width)
  const last = () => Math.floor(high / width)
  while (last() - first() + 1 > mostBins) width *= 2
  const from = first()
  const counts = Array<number>(last() - from + 1).fill(0)
  for (let k = 0; k < values.length; k++) counts[Math.floor(values[k] / width) - from]++
  return { edges: Array.from({ length: counts.length + 1 }, (_, k) => rounded((from + k) * width)), counts }
}
