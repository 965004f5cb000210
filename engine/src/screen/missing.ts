import type { MissingProcess } from '@convexa/contract'
import { type Expression, evaluate } from '../expression/index.ts'
import type { Panel } from '../panel/panel.ts'

/** How far back `forward_fill` looks for a security's own last value, in trading days (api.md 0.1). */
export const forwardFillDays = 20

/** Values of a factor on the days `rows`, absent ones taken from the last of the 20 trading days before that has one. */
export function forwardFilled(expression: Expression, panel: Panel, rows: Int32Array): Float64Array {
  const { stride } = panel
  const wanted: number[] = []
  for (const day of rows) {
    const known = wanted.length > 0 ? wanted[wanted.length - 1] : -1
    for (let t = Math.max(known + 1, day - forwardFillDays, 0); t <= day; t++) wanted.push(t)
  }
  const column = evaluate(expression, panel, wanted)
  const out = new Float64Array(rows.length * stride)
  let at = 0
  for (let k = 0; k < rows.length; k++) {
    while (wanted[at] < rows[k]) at++
    for (let i = 0; i < stride; i++) {
      let value = column[at * stride + i]
      for (let back = 1; value !== value && back <= forwardFillDays && at >= back; back++) {
        if (wanted[at - back] < rows[k] - forwardFillDays) break
        value = column[(at - back) * stride + i]
      }
      out[k * stride + i] = value
    }
  }
  return out
}

/** What a process takes of the values that the pool has, one at least; null: it takes none of them. */
const statistics: Record<MissingProcess, ((present: number[]) => number) | null> = {
  exclude: null,
  forward_fill: null,
  worst: null,
  market_mean(present) {
    let sum = 0
    for (const value of present) sum += value
    return sum / present.length
  },
  market_median(present) {
    const sorted = Float64Array.from(present).sort()
    const middle = sorted.length >> 1
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  },
  market_min: (present) => present.reduce((least, value) => Math.min(least, value)),
  market_max: (present) => present.reduce((most, value) => Math.max(most, value)),
}

/**
 * What an absent value is replaced by: a statistic of the pool's values. NaN when the process is none of these
 * or the pool has no value at all.
 */
export function fillOf(process: MissingProcess, values: Float64Array, offset: number, count: number, pool: Uint8Array): number {
  const statistic = statistics[process]
  if (statistic === null) return Number.NaN
  const present: number[] = []
  for (let i = 0; i < count; i++) {
    const value = values[offset + i]
    if (pool[i] === 1 && value === value) present.push(value)
  }
  return present.length === 0 ? Number.NaN : statistic(present)
}
