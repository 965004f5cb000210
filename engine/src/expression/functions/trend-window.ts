/** Windows whose days count by their place: Σ (place − middle) · value, merged from block to block. */
import type { Graph, Operand, Operation, Row } from '../graph.ts'
import { blocks, daysOf, fewDays, fourTimes, mean, meanOfBlock } from './window.ts'

/** Inputs: the four quarters' means, newest first, then their own moments where they have any. */
const momentOfFour = (quarter: number): Operation => ({
  name: `moment_of_four ${quarter}`,
  run: ({ out, at, count, inputs, from }) => {
    const [a, b, c, d] = inputs
    const [p, q, r, s] = from
    const scale = quarter * quarter
    for (let i = 0; i < count; i++) {
      const v = (1.5 * (a[p + i] - d[s + i]) + 0.5 * (b[q + i] - c[r + i])) * scale
      out[at + i] = v + (v - v)
    }
    if (quarter === 1) return
    for (let k = 4; k < 8; k++) {
      const own = inputs[k]
      const p_ = from[k]
      for (let i = 0; i < count; i++) out[at + i] += own[p_ + i]
    }
  },
})

function momentOfBlock(graph: Graph, of: Operand, size: number): Operand {
  const quarter = size / 4
  const means = fourTimes(graph, meanOfBlock(graph, of, quarter), quarter)
  const moments = quarter > 1 ? fourTimes(graph, momentOfBlock(graph, of, quarter), quarter) : []
  return graph.apply(momentOfFour(quarter), [...means, ...moments])
}

/** Inputs: the whole mean, then each block's mean and moment (of a single day the day alone). */
const mergeMoments = (window: number): Operation => {
  const parts = blocks(window).map(({ size, delay }) => ({ size, middle: window - delay - (size - 1) / 2 - (window + 1) / 2 }))
  return {
    name: `merge_moments ${window}`,
    run: (row) => {
      let next = 1
      parts.forEach(({ size, middle }, k) => {
        addPart(row, next, size * middle, size > 1, k === 0)
        next += size > 1 ? 2 : 1
      })
    },
  }
}

function addPart({ out, at, count, inputs, from }: Row, k: number, lever: number, hasOwn: boolean, first: boolean): void {
  const [m, a] = [inputs[0], inputs[k]]
  const [o, p] = [from[0], from[k]]
  for (let i = 0; i < count; i++) {
    const v = (first ? 0 : out[at + i]) + (a[p + i] - m[o + i]) * lever
    out[at + i] = v + (v - v)
  }
  if (!hasOwn) return
  const b = inputs[k + 1]
  const q = from[k + 1]
  for (let i = 0; i < count; i++) out[at + i] += b[q + i]
}

/** mean + moment · factor, or the moment alone. */
const scaled = (factor: number, withMean: boolean): Operation => ({
  name: `scaled_moment ${factor} ${withMean}`,
  run: ({ out, at, count, inputs, from }) => {
    const [m, a] = inputs
    const [o, p] = from
    for (let i = 0; i < count; i++) {
      const v = (withMean ? m[o + i] : 0) + a[p + i] * factor
      out[at + i] = v + (v - v)
    }
  },
})

function ofMoment(graph: Graph, of: Operand, window: number, factor: number, withMean: boolean): Operand {
  const inputs = blocks(window).flatMap(({ size, delay }) => {
    const own = size > 1 ? [meanOfBlock(graph, of, size), momentOfBlock(graph, of, size)] : [of]
    return own.map((part) => graph.delay(part, delay))
  })
  const whole = mean(graph, of, window)
  return graph.apply(scaled(factor, withMean), [whole, graph.apply(mergeMoments(window), [whole, ...inputs])])
}

/** Σ (place − middle)² of the places 1 … n. */
const squaresOfPlaces = (window: number) => (window * (window * window - 1)) / 12

export function slope(graph: Graph, of: Operand, window: number): Operand {
  const factor = 1 / orAbsent(squaresOfPlaces(window))
  if (window > fewDays) return ofMoment(graph, of, window, factor, false)
  return graph.apply(sumOfDifferences('slope_of_days', placesFromMiddle(window, factor), false), daysOf(graph, of, window))
}

export function forecast(graph: Graph, of: Operand, window: number): Operand {
  const factor = (window - 1) / 2 / orAbsent(squaresOfPlaces(window))
  if (window > fewDays) return ofMoment(graph, of, window, factor, true)
  const weights = placesFromMiddle(window, factor).map((weight) => 1 / window + weight)
  return graph.apply(sumOfDifferences('forecast_of_days', weights, true), daysOf(graph, of, window))
}

/** By age, today first: (place − middle) · factor. */
const placesFromMiddle = (window: number, factor: number): Float64Array =>
  Float64Array.from({ length: window }, (_, age) => ((window - 1) / 2 - age) * factor)

/** The mean of the days with these weights by age; the name says which they are. */
export function weighted(graph: Graph, name: string, of: Operand, weights: Float64Array): Operand {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = weights.map((weight) => weight / whole)
  return graph.apply(sumOfDifferences(name, shares, true), daysOf(graph, of, weights.length))
}

/** Σ weight · what a day differs from today, with today's value or without: equal values have exactly their mean, and no slope. */
const sumOfDifferences = (name: string, weights: Float64Array, withToday: boolean): Operation => ({
  name: `${name} ${weights.length}`,
  // Today does not differ from itself: its place in the list says whether its value is added.
  wasm: { kernel: 'sum_of_differences', list: [Number(withToday), ...weights.subarray(1)] },
  run: ({ out, at, count, inputs, from }) => {
    for (let i = 0; i < count; i++) {
      const today = inputs[0][from[0] + i]
      let v = today * Number(withToday)
      for (let k = 1; k < weights.length; k++) v += (inputs[k][from[k] + i] - today) * weights[k]
      out[at + i] = v + (v - v)
    }
  },
})

export function decay(graph: Graph, of: Operand, window: number): Operand {
  const factor = 2 / (window * (window + 1))
  if (window === 1 || window > fewDays) return ofMoment(graph, of, window, factor, true)
  return graph.apply(decayOfDays(window, factor), daysOf(graph, of, window))
}

/** A sum of sums: the difference of yesterday is in all of them but one, that of the oldest day in the last. */
const decayOfDays = (window: number, factor: number): Operation => ({
  name: `decay_of_days ${window}`,
  wasm: { kernel: 'decay_of_days', numbers: [window, factor] },
  run: ({ out, at, count, inputs, from }) => {
    for (let i = 0; i < count; i++) {
      const today = inputs[0][from[0] + i]
      let sum = 0
      let sums = 0
      for (let k = 1; k < window; k++) {
        sum += inputs[k][from[k] + i] - today
        sums += sum
      }
      const v = today + sums * factor
      out[at + i] = v + (v - v)
    }
  },
})

/** A single day has no slope. */
const orAbsent = (value: number): number => (value === 0 ? Number.NaN : value)
