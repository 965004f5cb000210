/**
 * Where today's value stands in its window: each past day gives it 2 points where smaller and 1 where equal.
 * `Number(a < b)` needs no branch, and on prices a branch is guessed wrong every other time: counting all days that way beats
 * keeping the window sorted up to some hundred days, and the cell depends on nothing but its window.
 */
import type { Graph, Operand, Operation } from '../graph.ts'
import { daysOf } from './window.ts'

/** A valid day also gives this many points: more than all the others together. */
const validDay = 1 << 12

/** Absent days are skipped if at least `minimum` are left; an absent today has no place. Inputs: today, the days before. */
const rank = (window: number, minimum: number): Operation => ({
  name: `ts_rank ${window} ${minimum}`,
  wasm: { kernel: 'rank_of_today', numbers: [window, minimum] },
  run: ({ out, at, count, inputs, from, points }) => {
    const today = inputs[0]
    const p = from[0]
    points.fill(validDay, 0, count)
    for (let k = 1; k < window; k++) addPoints(points, count, today, p, inputs[k], from[k])
    for (let i = 0; i < count; i++) {
      const v = today[p + i]
      const valid = points[i] >> 12
      out[at + i] = v === v && valid >= minimum ? ((points[i] & (validDay - 1)) * 0.5 + 1) / valid : Number.NaN
    }
  },
})

function addPoints(points: Int32Array, count: number, today: Float64Array, p: number, other: Float64Array, q: number): void {
  for (let i = 0; i < count; i++) {
    const v = today[p + i]
    const u = other[q + i]
    points[i] += Number(u < v) + Number(u <= v) + Number(u === u) * validDay
  }
}

export const rankOfToday = (graph: Graph, of: Operand, window: number, minimum = window): Operand =>
  graph.apply(rank(window, minimum), daysOf(graph, of, window))
