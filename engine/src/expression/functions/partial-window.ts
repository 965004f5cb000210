/**
 * Windows that do with some valid days (the argument `mp`): absent days, and days before the listing, are skipped.
 * The same blocks as in window.ts, in halves, each with its number of valid days.
 */
import type { Graph, Operand, Operation } from '../graph.ts'
import { largerValid, smallerValid } from './elementwise.ts'
import { extreme } from './window.ts'

/** A stretch of days: how many are valid, their mean and their squared deviations from it (both 0 where none is). */
interface Stretch {
  readonly valid: Operand
  readonly mean: Operand
  readonly squares: Operand
}

const validity: Operation = {
  name: 'valid',
  outside: 0,
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = Number(a[p + i] === a[p + i])
  },
}

const orZero: Operation = {
  name: 'or_zero',
  outside: 0,
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = v === v ? v : 0
    }
  },
}

const none: Operation = {
  name: 'none',
  outside: 0,
  run: ({ out, at, count }) => {
    out.fill(0, at, at + count)
  },
}

const total: Operation = {
  name: 'total',
  outside: 0,
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) {
      const v = a[p + i] + b[q + i]
      out[at + i] = v + (v - v)
    }
  },
}

/** Inputs: mean and number of the one, mean and number of the other. */
const mergedMean: Operation = {
  name: 'merged_mean',
  outside: 0,
  run: ({ out, at, count, inputs, from }) => {
    const [a, m, b, n] = inputs
    const [p, r, q, s] = from
    for (let i = 0; i < count; i++) {
      const known = m[r + i]
      const added = n[s + i]
      const v = added === 0 ? a[p + i] : known === 0 ? b[q + i] : a[p + i] + (b[q + i] - a[p + i]) * (added / (known + added))
      out[at + i] = v + (v - v)
    }
  },
}

/** Inputs: squares, mean and number of the one, then of the other. */
const mergedSquares: Operation = {
  name: 'merged_squares',
  outside: 0,
  run: ({ out, at, count, inputs, from }) => {
    const [a, mean, m, b, otherMean, n] = inputs
    const [p, u, r, q, w, s] = from
    for (let i = 0; i < count; i++) {
      const known = m[r + i]
      const added = n[s + i]
      const d = mean[u + i] - otherMean[w + i]
      const v = a[p + i] + b[q + i] + (known * added === 0 ? 0 : (d * d * known * added) / (known + added))
      out[at + i] = v + (v - v)
    }
  },
}

function later({ valid, mean, squares }: Stretch, graph: Graph, days: number): Stretch {
  return { valid: graph.delay(valid, days), mean: graph.delay(mean, days), squares: graph.delay(squares, days) }
}

function together(graph: Graph, a: Stretch, b: Stretch): Stretch {
  return {
    valid: graph.apply(total, [a.valid, b.valid]),
    mean: graph.apply(mergedMean, [a.mean, a.valid, b.mean, b.valid]),
    squares: graph.apply(mergedSquares, [a.squares, a.mean, a.valid, b.squares, b.mean, b.valid]),
  }
}

/** Folds a window from blocks of powers of two: the newest and smallest first. */
export function fold<T>(day: T, window: number, older: (part: T, days: number) => T, merge: (a: T, b: T) => T): T {
  let part = day
  let known: T | null = null
  let delay = 0
  for (let size = 1; size <= window; size *= 2) {
    if (Math.floor(window / size) % 2 === 1) {
      known = known === null ? part : merge(known, older(part, delay))
      delay += size
    }
    if (size * 2 <= window) part = merge(part, older(part, size))
  }
  return known as T
}

function stretch(graph: Graph, of: Operand, window: number): Stretch {
  const day = { valid: graph.apply(validity, [of]), mean: graph.apply(orZero, [of]), squares: graph.apply(none, [of]) }
  return fold<Stretch>(
    day,
    window,
    (part, days) => later(part, graph, days),
    (a, b) => together(graph, a, b),
  )
}

/** The value where at least `minimum` days are valid. Inputs: value, number of valid days. */
const ifEnough = (minimum: number): Operation => ({
  name: `if_enough ${minimum}`,
  run: ({ out, at, count, inputs, from }) => {
    const [a, valid] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) out[at + i] = valid[q + i] >= minimum ? a[p + i] : Number.NaN
  },
})

export function partialMean(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  const { mean, valid } = stretch(graph, of, window)
  return graph.apply(ifEnough(minimum), [mean, valid])
}

export function partialSum(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  const older = (part: Operand, days: number) => graph.delay(part, days)
  const merge = (a: Operand, b: Operand) => graph.apply(total, [a, b])
  const sum = fold(graph.apply(orZero, [of]), window, older, merge)
  return graph.apply(ifEnough(minimum), [sum, validDays(graph, of, window)])
}

function validDays(graph: Graph, of: Operand, window: number): Operand {
  return fold(
    graph.apply(validity, [of]),
    window,
    (part, days) => graph.delay(part, days),
    (a, b) => graph.apply(total, [a, b]),
  )
}

/** Standard deviation with one degree of freedom less than there are valid days: 0 / 0 of a single one. */
const deviation: Operation = {
  name: 'partial_deviation',
  run: ({ out, at, count, inputs, from }) => {
    const [squares, valid] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) out[at + i] = Math.sqrt(squares[p + i] / (valid[q + i] - 1))
  },
}

export function partialDeviation(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  const { squares, valid } = stretch(graph, of, window)
  return graph.apply(ifEnough(minimum), [graph.apply(deviation, [squares, valid]), valid])
}

export function partialMinimum(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  return graph.apply(ifEnough(minimum), [extreme(graph, of, window, smallerValid), validDays(graph, of, window)])
}

export function partialMaximum(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  return graph.apply(ifEnough(minimum), [extreme(graph, of, window, largerValid), validDays(graph, of, window)])
}
