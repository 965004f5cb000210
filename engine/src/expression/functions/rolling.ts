import type { Graph, Operand, Operation } from '../graph.ts'
import { larger, smaller } from './elementwise.ts'
import { type FunctionEntry, n, x } from './function.ts'
import { subtract } from './operators.ts'
import { partialDeviation, partialMaximum, partialMean, partialMinimum, partialSum } from './partial-window.ts'
import { extreme, mean, squares, sum } from './window.ts'
import { partialRankOfToday, rankOfToday } from './window-rank.ts'

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
  windowed('ts_mean', ['ma', 'mean'], '均值', '最近 n 个交易日的平均值', 'close / ts_mean(close, 20) - 1', mean, partialMean),
  windowed(
    'ts_std',
    ['std'],
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
    rankOfToday,
    partialRankOfToday,
  ),
]
