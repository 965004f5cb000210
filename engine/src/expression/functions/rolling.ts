/**
 * Windows over the days of a security.
 *
 * A window of 20 days is the block of the newest 16 and the block of the 4 before; a block of 16 is two blocks of 8, and so on.
 * Each block is a node of the graph, made from two smaller ones by one pass over a row. So a window costs about log₂ n passes,
 * windows on one column share their blocks, a day that is not wanted is not computed, and a cell depends on the values of its
 * window alone: not on the first day of the panel, not on the days asked for, and a NaN never outlives its window.
 * Means and squares are merged from block to block (Chan, Golub & LeVeque 1983), so nothing drifts or cancels, and a window of
 * equal values has exactly their mean and exactly no spread.
 */
import type { Graph, Operand, Operation } from '../graph.ts'
import { larger, smaller, subtract } from './elementwise.ts'
import { type Call, type FunctionEntry, n, x } from './function.ts'

/** The newest 2^k days, then the rest of the window, largest block first. */
function blocks(window: number): { size: number; delay: number }[] {
  const parts: { size: number; delay: number }[] = []
  let delay = 0
  for (let size = 2 ** Math.floor(Math.log2(window)); size >= 1; size /= 2) {
    if (window - delay < size) continue
    parts.push({ size, delay })
    delay += size
  }
  return parts
}

/** The column of a block of `size` days (a power of two): two halves merged, down to single days. */
function block(graph: Graph, of: Operand, size: number, merge: (half: number) => Operation): Operand {
  if (size === 1) return of
  const half = block(graph, of, size / 2, merge)
  return graph.apply(merge(size / 2), [half, graph.delay(half, size / 2)])
}

const average: Operation = {
  name: 'average',
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) {
      const v = (a[p + i] + b[q + i]) * 0.5
      out[at + i] = v + (v - v)
    }
  },
}

/** Mean of `known` and `added` values from the means of both. */
const mergeMeans = (known: number, added: number): Operation => ({
  name: `merge_means ${known} ${added}`,
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    const total = known + added
    for (let i = 0; i < count; i++) {
      const mean = a[p + i]
      out[at + i] = mean + ((b[q + i] - mean) * added) / total
    }
  },
})

const meanOfBlock = (graph: Graph, of: Operand, size: number) => block(graph, of, size, () => average)

function mean(graph: Graph, of: Operand, window: number): Operand {
  const [first, ...rest] = blocks(window)
  let known = meanOfBlock(graph, of, first.size)
  for (const { size, delay } of rest) {
    known = graph.apply(mergeMeans(delay, size), [known, graph.delay(meanOfBlock(graph, of, size), delay)])
  }
  return known
}

/** Squared deviations of two blocks together, from those and the means of each. */
const mergeSquares = (known: number, added: number): Operation => {
  const weight = (known * added) / (known + added)
  return {
    name: `merge_squares ${known} ${added}`,
    run: ({ out, at, count, inputs, from }) => {
      const [a, b, meanA, meanB] = inputs
      const [p, q, r, s] = from
      for (let i = 0; i < count; i++) {
        const d = meanA[r + i] - meanB[s + i]
        const v = a[p + i] + b[q + i] + d * d * weight
        out[at + i] = v + (v - v)
      }
    },
  }
}

/** A single day has no spread, but an absent one stays absent. */
const noSpread: Operation = {
  name: 'no_spread',
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = a[p + i] - a[p + i]
  },
}

function squaresOfBlock(graph: Graph, of: Operand, size: number): Operand {
  if (size === 1) return graph.apply(noSpread, [of])
  const half = size / 2
  const squares = squaresOfBlock(graph, of, half)
  const means = meanOfBlock(graph, of, half)
  return graph.apply(mergeSquares(half, half), [squares, graph.delay(squares, half), means, graph.delay(means, half)])
}

function squares(graph: Graph, of: Operand, window: number): Operand {
  const [first, ...rest] = blocks(window)
  let known = squaresOfBlock(graph, of, first.size)
  let means = meanOfBlock(graph, of, first.size)
  for (const { size, delay } of rest) {
    const added = graph.delay(squaresOfBlock(graph, of, size), delay)
    const addedMeans = graph.delay(meanOfBlock(graph, of, size), delay)
    known = graph.apply(mergeSquares(delay, size), [known, added, means, addedMeans])
    means = graph.apply(mergeMeans(delay, size), [means, addedMeans])
  }
  return known
}

const scale = (factor: number): Operation => ({
  name: `scale ${factor}`,
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) {
      const v = a[p + i] * factor
      out[at + i] = v + (v - v)
    }
  },
})

const plus: Operation = {
  name: 'plus_scaled',
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) {
      const v = a[p + i] + b[q + i]
      out[at + i] = v + (v - v)
    }
  },
}

/** A block's sum is its mean times a power of two: exact, so sums and means share their blocks. */
function sum(graph: Graph, of: Operand, window: number): Operand {
  const parts = blocks(window).map(({ size, delay }) => {
    const part = graph.delay(meanOfBlock(graph, of, size), delay)
    return size === 1 ? part : graph.apply(scale(size), [part])
  })
  return parts.reduce((known, part) => graph.apply(plus, [known, part]))
}

const rootOfVariance = (degrees: number): Operation => ({
  name: `root_of_variance ${degrees}`,
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = degrees > 0 ? Math.sqrt(a[p + i] / degrees) : Number.NaN
  },
})

/** The extreme of a window is that of two overlapping blocks. */
function extreme(graph: Graph, of: Operand, window: number, operation: Operation): Operand {
  const size = 2 ** Math.floor(Math.log2(window))
  const newest = block(graph, of, size, () => operation)
  return size === window ? newest : graph.apply(operation, [newest, graph.delay(newest, window - size)])
}

const percentile = (window: number): Operation => ({
  name: `ts_rank ${window}`,
  run: ({ out, at, count, inputs, from }) => {
    const today = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = 0 * today[p + i]
    // Twice the smaller ones plus the equal ones, day by day.
    for (let k = 1; k < window; k++) {
      const past = inputs[k]
      const q = from[k]
      for (let i = 0; i < count; i++) {
        const v = today[p + i]
        const u = past[q + i]
        out[at + i] += u < v ? 2 : u > v ? 0 : u === v ? 1 : Number.NaN
      }
    }
    for (let i = 0; i < count; i++) out[at + i] = (out[at + i] * 0.5 + 1) / window
  },
})

const days = (graph: Graph, of: Operand, window: number): Operand[] => Array.from({ length: window }, (_, k) => graph.delay(of, k))

type Build = (graph: Graph, of: Operand, window: number) => Operand

const windowed = (name: string, aliases: readonly string[], label: string, doc: string, example: string, whole: Build): FunctionEntry => ({
  name,
  aliases,
  label,
  category: '时序',
  args: [x, n],
  minimum: true,
  lookback: ([window]) => window - 1,
  isCrossSection: false,
  doc,
  example,
  build: (graph, { series: [of], numbers: [window] }: Call) => whole(graph, graph.series(of), window),
})

const change: Operation = {
  name: 'change',
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) {
      const base = b[q + i]
      const v = base > 0 ? a[p + i] / base - 1 : Number.NaN
      out[at + i] = v + (v - v)
    }
  },
}

export const rolling: readonly FunctionEntry[] = [
  {
    name: 'ref',
    aliases: ['delay'],
    label: '前值',
    category: '时序',
    args: [x, { ...n, min: 0 }],
    lookback: ([back]) => back,
    isCrossSection: false,
    doc: 'n 个交易日前的值，n 为 0 时即当日',
    example: 'ref(close, 5)',
    build: (graph, { series: [of], numbers: [back] }) => graph.delay(of, back),
  },
  {
    name: 'delta',
    aliases: [],
    label: '差值',
    category: '时序',
    args: [x, { ...n, default: 1 }],
    lookback: ([back]) => back,
    isCrossSection: false,
    doc: '当日值减去 n 个交易日前的值',
    example: 'delta(conv_prem, 5)',
    build: (graph, { series: [of], numbers: [back] }) => graph.apply(subtract, [of, graph.delay(of, back)]),
  },
  {
    name: 'pct',
    aliases: ['roc'],
    label: '涨跌幅',
    category: '时序',
    args: [x, { ...n, default: 1 }],
    lookback: ([back]) => back,
    isCrossSection: false,
    doc: '当日值 ÷ n 个交易日前的值 − 1；基数不大于 0 时缺失',
    example: 'pct(close, 20)',
    build: (graph, { series: [of], numbers: [back] }) => graph.apply(change, [graph.series(of), graph.delay(of, back)]),
  },
  windowed('ts_sum', ['sum'], '区间和', '最近 n 个交易日之和', 'ts_sum(amount, 5)', sum),
  windowed('ts_mean', ['ma'], '均值', '最近 n 个交易日的平均值', 'close / ts_mean(close, 20) - 1', mean),
  windowed('ts_std', [], '标准差', '最近 n 个交易日的标准差（自由度减一）', 'ts_std(pct(close, 1), 20)', (graph, of, window) =>
    graph.apply(rootOfVariance(window - 1), [squares(graph, of, window)]),
  ),
  windowed('ts_min', ['llv'], '最小值', '最近 n 个交易日的最小值', 'close / ts_min(low, 20) - 1', (graph, of, window) =>
    extreme(graph, of, window, smaller),
  ),
  windowed('ts_max', ['hhv'], '最大值', '最近 n 个交易日的最大值', 'close / ts_max(high, 20) - 1', (graph, of, window) =>
    extreme(graph, of, window, larger),
  ),
  windowed(
    'ts_rank',
    [],
    '时序排名',
    '当日值在最近 n 个交易日中的百分位排名，最大为 1，相同取平均',
    'ts_rank(conv_prem, 60)',
    (graph, of, window) => graph.apply(percentile(window), days(graph, of, window)),
  ),
]
