import type { Graph, Operand, Operation } from '../graph.ts'
import { larger, smaller } from './elementwise.ts'
import { daysSinceExtreme } from './extreme-day.ts'
import { type FunctionEntry, type Line, n, x } from './function.ts'
import { type Gathering, gather, keptInOrder } from './gather.ts'
import { multiply, operate, subtract } from './operators.ts'
import { fold, partialDeviation, partialMaximum, partialMean, partialMinimum, partialSum } from './partial-window.ts'
import * as statistics from './statistics.ts'
import * as trend from './trend-window.ts'
import { extreme, mean, squares, sum } from './window.ts'
import { rankOfToday } from './window-rank.ts'

// Windows end today and reach back over the days of the security; how they are computed: window.ts.

const change: Operation = {
  name: 'change',
  wasm: { kernel: 'change' },
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
  wasm: { kernel: 'root_of_variance', numbers: [degrees] },
  run: ({ out, at, count, inputs, from }) => {
    const a = inputs[0]
    const p = from[0]
    for (let i = 0; i < count; i++) out[at + i] = Math.sqrt(a[p + i] / degrees)
  },
})

const firstValid: Operation = {
  name: 'first_valid',
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = v === v ? v : b[q + i]
    }
  },
}

type Whole = (graph: Graph, of: Operand, window: number) => Operand
type Partial = (graph: Graph, of: Operand, window: number, minimum: number) => Operand

/** Every window of a statistic that has no blocks, and those of one that has but may skip days. */
const gathered =
  (gathering: Gathering): Partial =>
  (graph, of, window, minimum) =>
    gather(graph, gathering, [of], window, minimum)
const gatheredWhole =
  (gathering: Gathering): Whole =>
  (graph, of, window) =>
    gather(graph, gathering, [of], window, window)

const quantileAt = (q: number): Omit<Gathering, 'name'> => ({
  of: statistics.quantile(q),
  weight: 6,
  kernel: 'quantile_of_members',
  slides: { number: q, kept: keptInOrder },
})

/** @param least days without which there is a value on no day */
const windowed = (
  name: string,
  aliases: readonly string[],
  label: string,
  doc: string,
  example: string,
  whole: Whole,
  partial: Partial,
  least = 1,
): FunctionEntry => ({
  name,
  aliases,
  label,
  category: '时序',
  args: [x, least > 1 ? { ...n, min: least } : n],
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

const back = (
  entry: Pick<FunctionEntry, 'name' | 'aliases' | 'label' | 'args' | 'doc' | 'example' | 'build'> & Pick<Line, 'lookback'>,
): FunctionEntry => ({
  category: '时序',
  lookback: ([days]) => days,
  isCrossSection: false,
  ...entry,
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
    ['std', 'stddev'],
    '标准差',
    '最近 n 个交易日的标准差（自由度减一）',
    'ts_std(pct(close, 1), 20)',
    (graph, of, window) => graph.apply(rootOfVariance(window - 1), [squares(graph, of, window)]),
    partialDeviation,
    2,
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
    rankOfToday,
  ),
  windowed(
    'STD',
    [],
    '总体标准差',
    '最近 n 个交易日的标准差（除以 n），与通达信 STD 相同；小写 std 为自由度减一',
    'STD(close, 20)',
    (graph, of, window) => graph.apply(rootOfVariance(window), [squares(graph, of, window)]),
    gathered({ name: 'STD', of: statistics.deviation(0) }),
  ),
  windowed(
    'ts_var',
    ['var'],
    '方差',
    '最近 n 个交易日的方差（自由度减一）',
    'ts_var(pct(close, 1), 20)',
    (graph, of, window) => operate(graph, '/', squares(graph, of, window), graph.constant(window - 1)),
    gathered({ name: 'ts_var', of: statistics.variance(1) }),
    2,
  ),
  windowed(
    'ts_argmax',
    ['hhvbars'],
    '距最高天数',
    '最近 n 个交易日中最大值距当日的天数，当日为 0，相同取最近',
    'ts_argmax(high, 20)',
    (graph, of, window) => daysSinceExtreme(graph, of, window, larger, true),
    gathered({ name: 'ts_argmax', of: statistics.daysSince((a, b) => a > b) }),
  ),
  windowed(
    'ts_argmin',
    ['llvbars'],
    '距最低天数',
    '最近 n 个交易日中最小值距当日的天数，当日为 0，相同取最近',
    'ts_argmin(low, 20)',
    (graph, of, window) => daysSinceExtreme(graph, of, window, smaller, false),
    gathered({ name: 'ts_argmin', of: statistics.daysSince((a, b) => a < b) }),
  ),
  windowed(
    'ts_prod',
    ['product'],
    '连乘',
    '最近 n 个交易日的乘积',
    'ts_prod(1 + pct(close, 1), 20) - 1',
    (graph, of, window) =>
      fold<Operand>(
        of,
        window,
        (part, days) => graph.delay(part, days),
        (a, b) => graph.apply(multiply, [a, b]),
      ),
    gathered({ name: 'ts_prod', of: statistics.product }),
  ),
  ...gatheredOnly([
    ['ts_median', '中位数', '最近 n 个交易日的中位数', 'ts_median(close, 20)', quantileAt(0.5)],
    [
      'ts_skew',
      '偏度',
      '最近 n 个交易日的偏度（修正偏差）；没有波动时缺失',
      'ts_skew(pct(close, 1), 60)',
      { of: statistics.skewness, kernel: 'skew_of_members' },
      3,
    ],
    [
      'ts_kurt',
      '峰度',
      '最近 n 个交易日的超额峰度（修正偏差）；没有波动时缺失',
      'ts_kurt(pct(close, 1), 60)',
      { of: statistics.kurtosis, kernel: 'kurt_of_members' },
      4,
    ],
    [
      'ts_mad',
      '绝对中位差',
      '最近 n 个交易日各值与中位数之差的绝对值的中位数',
      'ts_mad(close, 20)',
      { of: statistics.medianDeviation, weight: 12, kernel: 'median_distance_of_members', slides: { kept: keptInOrder } },
    ],
    [
      'avedev',
      '平均绝对偏差',
      '最近 n 个交易日各值与均值之差的绝对值的平均',
      'avedev(close, 14)',
      { of: statistics.meanDeviation, kernel: 'avedev_of_members' },
    ],
    [
      'ts_mdd',
      '区间最大回撤',
      '最近 n 个交易日的最大回撤，为负数；峰值不大于 0 时缺失',
      'ts_mdd(close, 60)',
      { of: statistics.drawdown, kernel: 'drawdown_of_members' },
    ],
  ]),
  windowed(
    'ts_slope',
    ['slope'],
    '斜率',
    '最近 n 个交易日对 1 … n 线性回归的斜率',
    'ts_slope(close, 20) / close',
    trend.slope,
    gathered({ name: 'ts_slope', of: statistics.slope }),
    2,
  ),
  windowed(
    'ts_forecast',
    ['forcast', 'forecast'],
    '回归预测',
    '最近 n 个交易日对 1 … n 线性回归在当日的拟合值',
    'close / ts_forecast(close, 20) - 1',
    trend.forecast,
    gathered({ name: 'ts_forecast', of: statistics.forecast }),
    2,
  ),
  windowed(
    'ts_decay',
    ['wma', 'decay_linear'],
    '加权平均',
    '最近 n 个交易日的加权平均，权重 1 … n，当日最大',
    'ts_decay(close, 10)',
    trend.decay,
    gathered({ name: 'ts_decay', of: statistics.decay }),
  ),
  {
    ...windowed(
      'ts_halflife',
      [],
      '半衰加权平均',
      '最近 n 个交易日的加权平均，权重每过 h 个交易日减半，当日最大',
      'ts_halflife(pct_chg, 60, 20)',
      mean,
      partialMean,
    ),
    args: [x, n, { name: 'h', label: '半衰期（交易日）', kind: 'number', least: 1, most: 500, whole: true }],
    build: (graph, { series: [of], numbers: [window, half], minimum }) => {
      const weights = statistics.halvingWeights(window, half)
      const column = graph.series(of)
      const name = `ts_halflife ${half}`
      if (minimum === null || minimum === window) return trend.weighted(graph, name, column, weights)
      return gather(graph, { name, of: statistics.halflife(weights) }, [column], window, minimum)
    },
  },
  {
    ...windowed('ts_quantile', [], '分位数', '最近 n 个交易日的 q 分位数，线性插值', 'ts_quantile(close, 60, 0.9)', mean, partialMean),
    args: [x, n, { name: 'q', label: '分位', kind: 'number', least: 0, most: 1 }],
    build: (graph, { series: [of], numbers: [window, q], minimum }) =>
      gather(graph, { name: `ts_quantile ${q}`, ...quantileAt(q) }, [graph.series(of)], window, minimum ?? window),
  },
  back({
    name: 'ts_ffill',
    aliases: [],
    label: '向前填补',
    args: [x, { ...n, default: 250 }],
    lookback: ([window]) => window - 1,
    doc: '最近 n 个交易日中最后一个有效值',
    example: 'ts_ffill(ytm, 20)',
    build: (graph, { series: [of], numbers: [window] }) => extreme(graph, graph.series(of), window, firstValid),
  }),
]

/** name, label, doc, example, how it is gathered, least days */
type Gatherable = readonly [string, string, string, string, Omit<Gathering, 'name'>, number?]

function gatheredOnly(rows: readonly Gatherable[]): FunctionEntry[] {
  return rows.map(([name, label, doc, example, how, least]) => {
    const gathering = { name, ...how }
    return windowed(name, [], label, doc, example, gatheredWhole(gathering), gathered(gathering), least)
  })
}
