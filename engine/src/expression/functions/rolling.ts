import type { Graph, Operand, Operation } from '../graph.ts'
import { larger, smaller, subtract } from './elementwise.ts'
import { type FunctionEntry, n, x } from './function.ts'
import { partialDeviation, partialMaximum, partialMean, partialMinimum, partialSum } from './partial-window.ts'
import { extreme, mean, squares, sum } from './window.ts'

// Windows end today and reach back over the days of the security; how they are computed: window.ts.

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

const rootOfVariance = (degrees: number): Operation => ({
  name: `root_of_variance ${degrees}`,
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = degrees > 0 ? Math.sqrt(a[p + i] / degrees) : Number.NaN
  },
})

/**
 * Percentile of today's value: every past day adds 2 where it is smaller and 1 where it is equal, and validDay where it is valid.
 * `Number(a < b)` is computed without a branch, which matters: on prices a branch is guessed wrong every other time.
 */
const validDay = 4096
const percentile = (window: number, minimum: number): Operation => ({
  name: `ts_rank ${window} ${minimum}`,
  run: ({ out, at, count, inputs, from, scratch }) => {
    const today = inputs[0]
    const p = from[0]
    const points = scratch.keys
    points.fill(0, 0, count)
    let k = 1
    for (; k + 2 < window; k += 3) {
      const [a, b, c] = [inputs[k], inputs[k + 1], inputs[k + 2]]
      const [q, r, s] = [from[k], from[k + 1], from[k + 2]]
      for (let i = 0; i < count; i++) {
        const v = today[p + i]
        const d = a[q + i]
        const e = b[r + i]
        const f = c[s + i]
        points[i] +=
          Number(d < v) +
          Number(d <= v) +
          Number(e < v) +
          Number(e <= v) +
          Number(f < v) +
          Number(f <= v) +
          (Number(d === d) + Number(e === e) + Number(f === f)) * validDay
      }
    }
    for (; k < window; k++) {
      const a = inputs[k]
      const q = from[k]
      for (let i = 0; i < count; i++) {
        const v = today[p + i]
        const d = a[q + i]
        points[i] += Number(d < v) + Number(d <= v) + Number(d === d) * validDay
      }
    }
    for (let i = 0; i < count; i++) {
      const v = today[p + i]
      const valid = Math.floor(points[i] / validDay) + 1
      out[at + i] = v === v && valid >= minimum ? ((points[i] % validDay) * 0.5 + 1) / valid : Number.NaN
    }
  },
})

function rankOfToday(graph: Graph, of: Operand, window: number, minimum: number): Operand {
  const days = Array.from({ length: window }, (_, k) => graph.delay(of, k))
  return graph.apply(percentile(window, minimum), days)
}

type Whole = (graph: Graph, of: Operand, window: number) => Operand
type Partial = (graph: Graph, of: Operand, window: number, minimum: number) => Operand

const windowed = (
  name: string,
  aliases: readonly string[],
  label: string,
  doc: string,
  example: string,
  whole: Whole,
  partial: Partial,
): FunctionEntry => ({
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
  build: (graph, { series: [of], numbers: [window], minimum }) => {
    const column = graph.series(of)
    return minimum === null || minimum === window ? whole(graph, column, window) : partial(graph, column, window, minimum)
  },
})

const back = (entry: Pick<FunctionEntry, 'name' | 'aliases' | 'label' | 'args' | 'doc' | 'example' | 'build'>): FunctionEntry => ({
  ...entry,
  category: '时序',
  lookback: ([days]) => days,
  isCrossSection: false,
})

export const rolling: readonly FunctionEntry[] = [
  back({
    name: 'ref',
    aliases: ['delay'],
    label: '前值',
    args: [x, { ...n, min: 0 }],
    doc: 'n 个交易日前的值，n 为 0 时即当日',
    example: 'ref(close, 5)',
    build: (graph, { series: [of], numbers: [days] }) => graph.delay(of, days),
  }),
  back({
    name: 'delta',
    aliases: [],
    label: '差值',
    args: [x, { ...n, default: 1 }],
    doc: '当日值减去 n 个交易日前的值',
    example: 'delta(conv_prem, 5)',
    build: (graph, { series: [of], numbers: [days] }) => graph.apply(subtract, [graph.series(of), graph.delay(of, days)]),
  }),
  back({
    name: 'pct',
    aliases: ['roc'],
    label: '涨跌幅',
    args: [x, { ...n, default: 1 }],
    doc: '当日值 ÷ n 个交易日前的值 − 1；基数不大于 0 时缺失',
    example: 'pct(close, 20)',
    build: (graph, { series: [of], numbers: [days] }) => graph.apply(change, [graph.series(of), graph.delay(of, days)]),
  }),
  windowed('ts_sum', ['sum'], '区间和', '最近 n 个交易日之和', 'ts_sum(amount, 5)', sum, partialSum),
  windowed('ts_mean', ['ma'], '均值', '最近 n 个交易日的平均值', 'close / ts_mean(close, 20) - 1', mean, partialMean),
  windowed(
    'ts_std',
    [],
    '标准差',
    '最近 n 个交易日的标准差（自由度减一）',
    'ts_std(pct(close, 1), 20)',
    (graph, of, window) => graph.apply(rootOfVariance(window - 1), [squares(graph, of, window)]),
    partialDeviation,
  ),
  windowed(
    'ts_min',
    ['llv'],
    '最小值',
    '最近 n 个交易日的最小值',
    'close / ts_min(low, 20) - 1',
    (graph, of, window) => extreme(graph, of, window, smaller),
    partialMinimum,
  ),
  windowed(
    'ts_max',
    ['hhv'],
    '最大值',
    '最近 n 个交易日的最大值',
    'close / ts_max(high, 20) - 1',
    (graph, of, window) => extreme(graph, of, window, larger),
    partialMaximum,
  ),
  windowed(
    'ts_rank',
    [],
    '时序排名',
    '当日值在最近 n 个交易日中的百分位排名，最大为 1，相同取平均',
    'ts_rank(conv_prem, 60)',
    (graph, of, window) => rankOfToday(graph, of, window, window),
    rankOfToday,
  ),
]
