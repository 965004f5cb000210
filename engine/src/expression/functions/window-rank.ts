/**
 * Where today's value stands in its window: each past day gives it 2 points where smaller and 1 where equal.
 * `Number(a < b)` needs no branch, and on prices a branch is guessed wrong every other time: counting all days that way beats
 * keeping the window sorted up to some hundred days, and the cell depends on nothing but its window.
 */
import type { Graph, Operand, Operation } from '../graph.ts'
import { mean } from './window.ts'

/** Inputs: today, the days before, and something that is absent where any of them is. */
const strict = (window: number): Operation => ({
  name: `ts_rank ${window}`,
  run: ({ out, at, count, inputs, from, points }) => {
    const today = inputs[0]
    const p = from[0]
    points.fill(0, 0, count)
    let k = 1
    for (; k + 3 < window; k += 4) {
      const [a, b, c, d] = [inputs[k], inputs[k + 1], inputs[k + 2], inputs[k + 3]]
      const [q, r, s, t] = [from[k], from[k + 1], from[k + 2], from[k + 3]]
      for (let i = 0; i < count; i++) {
        const v = today[p + i]
        const e = a[q + i]
        const f = b[r + i]
        const g = c[s + i]
        const h = d[t + i]
        const below = Number(e < v) + Number(f < v) + Number(g < v) + Number(h < v)
        points[i] += below + Number(e <= v) + Number(f <= v) + Number(g <= v) + Number(h <= v)
      }
    }
    for (; k < window; k++) {
      const a = inputs[k]
      const q = from[k]
      for (let i = 0; i < count; i++) points[i] += Number(a[q + i] < today[p + i]) + Number(a[q + i] <= today[p + i])
    }
    const whole = inputs[window]
    const w = from[window]
    for (let i = 0; i < count; i++) {
      const absent = whole[w + i] - whole[w + i]
      out[at + i] = (points[i] * 0.5 + 1) / window + absent
    }
  },
})

/** A valid day also gives this many points: more than all the others together. */
const validDay = 1 << 12

/** Absent days are skipped if at least `minimum` are left; an absent today has no place. */
const partial = (window: number, minimum: number): Operation => ({
  name: `ts_rank ${window} ${minimum}`,
  run: ({ out, at, count, inputs, from, points }) => {
    const today = inputs[0]
    const p = from[0]
    points.fill(validDay, 0, count)
    for (let k = 1; k < window; k++) {
      const a = inputs[k]
      const q = from[k]
      for (let i = 0; i < count; i++) {
        const v = today[p + i]
        const u = a[q + i]
        points[i] += Number(u < v) + Number(u <= v) + Number(u === u) * validDay
      }
    }
    for (let i = 0; i < count; i++) {
      const v = today[p + i]
      const valid = points[i] >> 12
      out[at + i] = v === v && valid >= minimum ? ((points[i] & (validDay - 1)) * 0.5 + 1) / valid : Number.NaN
    }
  },
})

const days = (graph: Graph, of: Operand, window: number): Operand[] => Array.from({ length: window }, (_, k) => graph.delay(of, k))

export function rankOfToday(graph: Graph, of: Operand, window: number): Operand {
  return graph.apply(strict(window), [...days(graph, of, window), mean(graph, of, window)])
}

export function partialRankOfToday(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  return graph.apply(partial(window, minimum), days(graph, of, window))
}
