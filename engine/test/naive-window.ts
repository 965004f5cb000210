/** Functions of the days before, as their definitions say: over the members of one window, or over a security's whole history. */
import type { Formula } from './formula.ts'
import { deviation, mean, percentile } from './naive-statistics.ts'

/** Of today's value and that of so many days ago. */
export const backDefinitions: Record<string, (today: number, then: number) => number> = {
  ref: (_today, then) => then,
  delta: (today, then) => today - then,
  pct: (today, then) => (then > 0 ? today / then - 1 : Number.NaN),
}

/** A valid day of a window: today has age 0; one value for each series. */
export interface Member {
  readonly age: number
  readonly values: readonly number[]
}

type Rolling = (members: readonly Member[], today: readonly number[], numbers: readonly number[]) => number

const ofValues =
  (of: (values: number[], today: number) => number): Rolling =>
  (members, [today]) =>
    of(
      members.map(({ values }) => values[0]),
      today,
    )

export const rollingDefinitions: Record<string, Rolling> = {
  ts_sum: ofValues((values) => values.reduce((sum, value) => sum + value, 0)),
  ts_mean: ofValues(mean),
  ts_std: ofValues(deviation),
  ts_min: ofValues((values) => Math.min(...values)),
  ts_max: ofValues((values) => Math.max(...values)),
  ts_rank: ofValues((values, today) => percentile(values, today)),
}

/** Of all values of a security since its listing, for each day. */
export const historyDefinitions: Record<string, (columns: number[][], numbers: readonly number[]) => number[]> = {}

/** Functions that are another way to write something. */
export function rewritten(_formula: Formula & { kind: 'call' }): Formula | null {
  return null
}
