/**
 * What a window of days holds: mean, sum, squared deviations, extremes.
 *
 * A window of 20 days is the block of the newest 4 and the block of the 16 before; a block of 16 is four blocks of 4. Each block
 * is a node of the graph, made from four smaller ones by one pass over a row. So a window costs about log₄ n passes, windows on
 * one column share their blocks, days that are not wanted are not computed, and a cell depends on the values of its window
 * alone: not on the first day of the panel, not on the days asked for, and a NaN never outlives its window.
 * Means and squares are merged from block to block (Chan, Golub & LeVeque 1983): nothing drifts or cancels, and a window of
 * equal values has exactly their mean and exactly no spread.
 */
import type { Graph, Operand, Operation, Row } from '../graph.ts'

/** Up to so many days a window is read day by day, in one pass: as many steps as its blocks take passes. */
export const fewDays = 32

export const daysOf = (graph: Graph, of: Operand, window: number): Operand[] => Array.from({ length: window }, (_, k) => graph.delay(of, k))

export interface Block {
  readonly size: number
  /** Of its newest day. */
  readonly delay: number
}

/**
 * A window as blocks whose sizes are powers of four, smallest and newest first: so it is the few large blocks that are looked
 * at from far, and the small ones need not be held for long.
 */
export function blocks(window: number): Block[] {
  const sizes: number[] = []
  let size = 1
  while (size * 4 <= window) size *= 4
  for (let left = window; left > 0; left -= size) {
    while (size > left) size /= 4
    sizes.unshift(size)
  }
  let delay = 0
  return sizes.map((size) => {
    delay += size
    return { size, delay: delay - size }
  })
}

export const fourTimes = (graph: Graph, of: Operand, apart: number): Operand[] => [0, 1, 2, 3].map((k) => graph.delay(of, k * apart))

const meanOfFour: Operation = {
  name: 'mean_of_four',
  wasm: { kernel: 'mean_of_four' },
  run: ({ out, at, count, inputs, from }) => {
    const [a, b, c, d] = inputs
    const [p, q, r, s] = from
    for (let i = 0; i < count; i++) {
      const v = (a[p + i] + b[q + i] + (c[r + i] + d[s + i])) * 0.25
      out[at + i] = v + (v - v)
    }
  },
}

export function meanOfBlock(graph: Graph, of: Operand, size: number): Operand {
  return size === 1 ? of : graph.apply(meanOfFour, fourTimes(graph, meanOfBlock(graph, of, size / 4), size / 4))
}

const meansOfBlocks = (graph: Graph, of: Operand, window: number): Operand[] =>
  blocks(window).map(({ size, delay }) => graph.delay(meanOfBlock(graph, of, size), delay))

const sizes = (window: number): number[] => blocks(window).map(({ size }) => size)

/** The mean of blocks, as the first one's mean and what the others differ from it. */
const mergeMeans = (window: number): Operation => {
  const weights = sizes(window).map((size) => size / window)
  return {
    name: `merge_means ${window}`,
    wasm: { kernel: 'merge_means', list: weights },
    run: ({ out, at, count, inputs, from }) => {
      const a = inputs[0]
      const p = from[0]
      // The first block differs from itself by nothing: it fills an odd place.
      for (let k = 1; k < weights.length; k += 2) {
        const last = k + 1 < weights.length ? k + 1 : 0
        const known = k === 1 ? a : out
        addDifferences(
          out,
          at,
          count,
          known,
          k === 1 ? p : at,
          a,
          p,
          inputs[k],
          from[k],
          weights[k],
          inputs[last],
          from[last],
          weights[last],
        )
      }
    },
  }
}

type Cells = Float64Array
/** known + (b − a) · weight + (c − a) · otherWeight */
function addDifferences(
  out: Cells,
  at: number,
  count: number,
  known: Cells,
  o: number,
  a: Cells,
  p: number,
  b: Cells,
  q: number,
  weight: number,
  c: Cells,
  r: number,
  otherWeight: number,
): void {
  for (let i = 0; i < count; i++) {
    const mean = a[p + i]
    const v = known[o + i] + (b[q + i] - mean) * weight + (c[r + i] - mean) * otherWeight
    out[at + i] = v + (v - v)
  }
}

/** Differences are from today's value, which is in the window: equal values have exactly their own mean and no spread. */
const meanOfDays = (window: number): Operation => ({
  name: `mean_of_days ${window}`,
  wasm: { kernel: 'mean_of_days', numbers: [window] },
  run: ({ out, at, count, inputs, from }) => {
    const part = 1 / window
    for (let i = 0; i < count; i++) {
      const today = inputs[0][from[0] + i]
      let sum = 0
      for (let k = 1; k < window; k++) sum += inputs[k][from[k] + i] - today
      const v = today + sum * part
      out[at + i] = v + (v - v)
    }
  },
})

export function mean(graph: Graph, of: Operand, window: number): Operand {
  if (window > 1 && window <= fewDays) return graph.apply(meanOfDays(window), daysOf(graph, of, window))
  const parts = meansOfBlocks(graph, of, window)
  return parts.length === 1 ? parts[0] : graph.apply(mergeMeans(window), parts)
}

/** The sum of a block is its mean times a power of two, which is exact: sums and means share their blocks. */
const sumOfBlocks = (window: number): Operation => {
  const scales = sizes(window)
  return {
    name: `sum_of_blocks ${window}`,
    wasm: { kernel: 'sum_of_blocks', list: scales },
    run: ({ out, at, count, inputs, from }) => {
      for (let k = 0; k < scales.length; k++) addScaled(out, at, count, inputs[k], from[k], scales[k], k === 0)
    },
  }
}

function addScaled(out: Cells, at: number, count: number, a: Cells, p: number, scale: number, first: boolean): void {
  for (let i = 0; i < count; i++) {
    const v = (first ? 0 : out[at + i]) + a[p + i] * scale
    out[at + i] = v + (v - v)
  }
}

const sumOfDays = (window: number): Operation => ({
  name: `sum_of_days ${window}`,
  wasm: { kernel: 'sum_of_days', numbers: [window] },
  run: ({ out, at, count, inputs, from }) => {
    for (let i = 0; i < count; i++) {
      let v = inputs[0][from[0] + i]
      for (let k = 1; k < window; k++) v += inputs[k][from[k] + i]
      out[at + i] = v + (v - v)
    }
  },
})

export function sum(graph: Graph, of: Operand, window: number): Operand {
  if (window > 1 && window <= fewDays) return graph.apply(sumOfDays(window), daysOf(graph, of, window))
  return window === 1 ? of : graph.apply(sumOfBlocks(window), meansOfBlocks(graph, of, window))
}

/** Squared deviations of four single days from their mean. */
const squaresOfFourDays: Operation = {
  name: 'squares_of_four_days',
  wasm: { kernel: 'squares_of_four_days' },
  run: ({ out, at, count, inputs, from }) => {
    const [mean, a, b, c, d] = inputs
    const [m, p, q, r, s] = from
    for (let i = 0; i < count; i++) {
      const middle = mean[m + i]
      const e = a[p + i] - middle
      const f = b[q + i] - middle
      const g = c[r + i] - middle
      const h = d[s + i] - middle
      const v = e * e + f * f + (g * g + h * h)
      out[at + i] = v + (v - v)
    }
  },
}

/**
 * Squared deviations of blocks together: those inside each block, and its size times that of its mean from the whole mean.
 * Inputs: the whole mean, then each block's mean and squares; of single days, which come last, the day alone.
 */
const mergeSquares = (name: string, sizesOfBlocks: readonly number[]): Operation => {
  const wide = sizesOfBlocks.filter((size) => size > 1)
  const single = sizesOfBlocks.length - wide.length
  return {
    name,
    wasm: { kernel: 'merge_squares', list: [...wide, ...Array<number>(single).fill(1)] },
    run: (row) => {
      let k = 0
      for (; k + 1 < wide.length; k += 2) addTwoBlocks(row, 1 + 2 * k, wide[k], wide[k + 1], k === 0)
      if (k < wide.length) addBlock(row, 1 + 2 * k, wide[k], k === 0)
      const next = 1 + 2 * wide.length
      for (let j = 0; j < single; j++) addDay(row, next + j, wide.length + j === 0)
    },
  }
}

function addTwoBlocks({ out, at, count, inputs, from }: Row, k: number, size: number, otherSize: number, first: boolean): void {
  const [m, a, s, b, t] = [inputs[0], inputs[k], inputs[k + 1], inputs[k + 2], inputs[k + 3]]
  const [o, p, q, r, u] = [from[0], from[k], from[k + 1], from[k + 2], from[k + 3]]
  for (let i = 0; i < count; i++) {
    const mean = m[o + i]
    const d = a[p + i] - mean
    const e = b[r + i] - mean
    const v = (first ? 0 : out[at + i]) + (d * d * size + s[q + i]) + (e * e * otherSize + t[u + i])
    out[at + i] = v + (v - v)
  }
}

function addBlock({ out, at, count, inputs, from }: Row, k: number, size: number, first: boolean): void {
  const [m, a, s] = [inputs[0], inputs[k], inputs[k + 1]]
  const [o, p, q] = [from[0], from[k], from[k + 1]]
  for (let i = 0; i < count; i++) {
    const d = a[p + i] - m[o + i]
    const v = (first ? 0 : out[at + i]) + (d * d * size + s[q + i])
    out[at + i] = v + (v - v)
  }
}

function addDay({ out, at, count, inputs, from }: Row, k: number, first: boolean): void {
  const [m, a] = [inputs[0], inputs[k]]
  const [o, p] = [from[0], from[k]]
  for (let i = 0; i < count; i++) {
    const d = a[p + i] - m[o + i]
    const v = (first ? 0 : out[at + i]) + d * d
    out[at + i] = v + (v - v)
  }
}

function squaresOfBlock(graph: Graph, of: Operand, size: number): Operand {
  const quarter = size / 4
  const whole = meanOfBlock(graph, of, size)
  const means = fourTimes(graph, meanOfBlock(graph, of, quarter), quarter)
  if (quarter === 1) return graph.apply(squaresOfFourDays, [whole, ...means])
  const squares = fourTimes(graph, squaresOfBlock(graph, of, quarter), quarter)
  const pairs = means.flatMap((mean, k) => [mean, squares[k]])
  return graph.apply(mergeSquares(`squares_of_block ${size}`, [quarter, quarter, quarter, quarter]), [whole, ...pairs])
}

/**
 * In one pass: Σ d² − (Σ d)² ÷ n of the differences d from today's value. That value is in the window, so the first sum is at most
 * n + 1 times the result: what cancels is a factor n of the last digit, whatever the level.
 */
const squaresOfDays = (window: number): Operation => ({
  name: `squares_of_days ${window}`,
  wasm: { kernel: 'squares_of_days', numbers: [window] },
  run: ({ out, at, count, inputs, from }) => {
    const part = 1 / window
    for (let i = 0; i < count; i++) {
      const today = inputs[0][from[0] + i]
      let sum = 0
      let squares = 0
      for (let k = 1; k < window; k++) {
        const d = inputs[k][from[k] + i] - today
        sum += d
        squares += d * d
      }
      const v = squares - sum * (sum * part)
      out[at + i] = v + (v - v)
    }
  },
})

/** Σ (value − mean)² over the window. */
export function squares(graph: Graph, of: Operand, window: number): Operand {
  if (window > 1 && window <= fewDays) return graph.apply(squaresOfDays(window), daysOf(graph, of, window))
  const parts = blocks(window)
  if (parts.length === 1 && window > 1) return squaresOfBlock(graph, of, window)
  const wide = parts
    .filter(({ size }) => size > 1)
    .flatMap(({ size, delay }) => [meanOfBlock(graph, of, size), squaresOfBlock(graph, of, size)].map((part) => graph.delay(part, delay)))
  const single = parts.filter(({ size }) => size === 1).map(({ delay }) => graph.delay(of, delay))
  const inputs = [mean(graph, of, window), ...wide, ...single]
  return graph.apply(mergeSquares(`squares ${window}`, sizes(window)), inputs)
}

/** The extreme of a window is that of two overlapping blocks, whose sizes are powers of two. */
export function extreme(graph: Graph, of: Operand, window: number, operation: Operation): Operand {
  let size = 1
  let newest = of
  for (; size * 2 <= window; size *= 2) newest = graph.apply(operation, [newest, graph.delay(newest, size)])
  return size === window ? newest : graph.apply(operation, [newest, graph.delay(newest, window - size)])
}
