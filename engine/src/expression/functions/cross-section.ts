import { rankRow } from '../../kernels/index.ts'
import type { Graph, Operand, Operation, WasmCall } from '../graph.ts'
import { type FunctionArgument, type FunctionEntry, line, x, y } from './function.ts'
import { correlationOfDay, neutral, residuals } from './least-squares.ts'
import { filled, type GroupStatistic, type GroupTransformation, groupStatistic, transformed } from './section.ts'
import * as section from './section-statistics.ts'

// Over all securities listed that day, suspended ones included, in the order of codes.

// The two that every strategy uses go over the row as it is.

const rank: Operation = {
  name: 'cs_rank',
  crossSection: true,
  wasm: { kernel: 'rank', readsListed: true },
  run: ({ out, at, count, inputs, from, listed, listedFrom, scratch }) => {
    const ranked = rankRow(inputs[0], from[0], count, listed, out, scratch, at, listedFrom)
    for (let i = 0; i < count; i++) out[at + i] /= ranked
  },
}

/** Input: the ranks. */
const turned: Operation = {
  name: 'cs_rank_desc',
  crossSection: true,
  run: ({ out, at, count, inputs, from }) => {
    const [ranks] = inputs
    const [p] = from
    let many = 0
    for (let i = 0; i < count; i++) many += Number(ranks[p + i] === ranks[p + i])
    for (let i = 0; i < count; i++) out[at + i] = 1 + 1 / many - ranks[p + i]
  },
}

const zscore: Operation = {
  name: 'cs_zscore',
  crossSection: true,
  run: ({ out, at, count, inputs, from, listed, listedFrom }) => {
    const a = inputs[0]
    const p = from[0]
    // Differences from the first value: a row of equal numbers then has no spread at all, not a rounding error of one.
    let anchor = Number.NaN
    let valid = 0
    let sum = 0
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      if (v !== v || listed[listedFrom + i] === 0) continue
      if (valid === 0) anchor = v
      valid++
      sum += v - anchor
    }
    const mean = sum / valid
    let squares = 0
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      if (v !== v || listed[listedFrom + i] === 0) continue
      const d = v - anchor - mean
      squares += d * d
    }
    // Squares beyond all numbers are no spread: a value over them would be 0.
    const spread = Math.sqrt(squares / (valid - 1) + (squares - squares))
    for (let i = 0; i < count; i++) {
      const v = listed[listedFrom + i] === 0 ? Number.NaN : (a[p + i] - anchor - mean) / spread
      out[at + i] = v + (v - v)
    }
  },
}

const total: FunctionArgument = { name: 'a', label: '总和', kind: 'number', default: 1 }
const part = (name: string, label: string, standard?: number): FunctionArgument => ({
  ...{ name, label, kind: 'number', least: 0, most: 1 },
  ...(standard === undefined ? {} : { default: standard }),
})
const times: FunctionArgument = { name: 'k', label: '倍数', kind: 'number', default: 3, least: 0 }
const many = (name: string, label: string, most: number): FunctionArgument => ({ name, label, kind: 'number', least: 1, most, whole: true })

/** name, aliases, label, further arguments, doc, example, what it does by its numbers */
type Row<T> = readonly [string, readonly string[], string, readonly FunctionArgument[], string, string, (...numbers: number[]) => T]

const statistics: readonly Row<GroupStatistic>[] = [
  ['cs_mean', [], '截面均值', [], '当日全部上市标的的均值', 'close / cs_mean(close)', () => section.mean],
  ['cs_median', [], '截面中位数', [], '当日全部上市标的的中位数', 'close - cs_median(close)', () => section.median],
  ['cs_sum', [], '截面合计', [], '当日全部上市标的之和', 'amount / cs_sum(amount)', () => section.sum],
  ['cs_std', [], '截面标准差', [], '当日全部上市标的的标准差（自由度减一）', 'cs_std(conv_prem)', () => section.deviation],
  ['cs_max', [], '截面最大值', [], '当日全部上市标的中的最大值', 'close / cs_max(close)', () => section.largest],
  ['cs_min', [], '截面最小值', [], '当日全部上市标的中的最小值', 'close - cs_min(close)', () => section.smallest],
  ['cs_count', [], '截面个数', [], '当日全部上市标的中不缺失的个数', 'cs_count(close)', () => section.count],
  [
    'cs_quantile',
    [],
    '截面分位数',
    [part('q', '分位')],
    '当日全部上市标的的 q 分位数，线性插值',
    'close < cs_quantile(close, 0.2)',
    section.quantile,
  ],
]

const transformations: readonly Row<GroupTransformation>[] = [
  ['cs_order', [], '截面名次', [], '当日名次，最大为 1，相同按代码先后', 'cs_order(close) <= 20', () => section.order],
  ['cs_demean', [], '截面去均值', [], '减去当日均值', 'cs_demean(conv_prem)', () => section.demean],
  ['cs_minmax', [], '截面归一', [], '按当日最小值与最大值缩放到 0 至 1，全部相同时为 0.5', 'cs_minmax(close)', () => section.minmax],
  ['cs_scale', ['scale'], '截面缩放', [total], '缩放到绝对值之和为 a', 'cs_scale(cs_demean(conv_prem))', section.scale],
  [
    'cs_winsor',
    [],
    '截面缩尾',
    [part('lo', '下分位', 0.025), { ...part('hi', '上分位', 0.975), from: 0 }],
    '超出当日上下分位数的取分位数',
    'cs_winsor(conv_prem, 0.05, 0.95)',
    section.winsor,
  ],
  ['cs_mad', [], '中位数去极值', [times], '超出中位数 ± k × 1.4826 × 绝对中位差的取边界', 'cs_mad(conv_prem)', section.clipByMedian],
  ['cs_sigma', [], '标准差去极值', [times], '超出均值 ± k 倍标准差的取边界', 'cs_sigma(conv_prem)', section.clipByDeviation],
  [
    'cs_bin',
    [],
    '截面分箱',
    [many('n', '箱数', 100)],
    '按当日大小等分为 n 箱，1 为最小，相同值按代码先后',
    'cs_bin(total_mv, 5)',
    section.bin,
  ],
  ['cs_top', [], '前 k 名', [many('k', '个数', 10_000)], '当日最大的 k 个为 1，其余为 0', 'cs_top(close, 20)', section.top],
  ['cs_bottom', [], '后 k 名', [many('k', '个数', 10_000)], '当日最小的 k 个为 1，其余为 0', 'cs_bottom(close, 20)', section.bottom],
  ['cs_norm', [], '正态化排名', [], '(名次 − 0.5) ÷ 个数对应的标准正态分位', 'cs_norm(conv_prem)', () => section.normalScore],
]

/** Those with a kernel, by the name with its numbers. */
const kernels: Readonly<Record<string, (name: string) => WasmCall>> = {
  cs_scale: (name) => ({ kernel: 'scale', readsListed: true, numbers: numbersIn(name) }),
  cs_order: () => ({ kernel: 'order_of_day', readsListed: true }),
  cs_top: (name) => ({ kernel: 'top_of_day', readsListed: true, numbers: numbersIn(name) }),
  cs_bottom: (name) => ({ kernel: 'bottom_of_day', readsListed: true, numbers: numbersIn(name) }),
  cs_bin: (name) => ({ kernel: 'bin_of_day', readsListed: true, numbers: numbersIn(name) }),
}
const numbersIn = (name: string): number[] => name.split(' ').slice(1).map(Number)

const entry = <T>([name, aliases, label, more, doc, example, of]: Row<T>, operation: (name: string, of: T) => Operation): FunctionEntry =>
  line({
    name,
    aliases,
    label,
    category: '截面',
    args: [x, ...more],
    isCrossSection: true,
    doc,
    example,
    build: (graph, { series: [each], numbers }) =>
      graph.apply(operation([name, ...numbers].join(' '), of(...numbers)), [graph.series(each)]),
  })

const direct: readonly Row<Operation>[] = [
  [
    'cs_rank',
    ['rank'],
    '截面排名',
    [],
    '当日全部上市标的中的百分位排名，最大为 1，相同取平均；缺失不参与',
    'cs_rank(conv_prem)',
    () => rank,
  ],
  ['cs_rank_desc', [], '截面倒序排名', [], '当日百分位排名，最小为 1，相同取平均', 'cs_rank_desc(close)', () => turned],
  [
    'cs_zscore',
    ['zscore'],
    '截面标准分',
    [],
    '减去当日均值后除以当日标准差（自由度减一）；标准差为 0 时缺失',
    'cs_zscore(close)',
    () => zscore,
  ],
]

/** The rank of a rank is that rank, to the last bit: the same order, the same ties, the same count. */
const ranked = (graph: Graph, of: Operand): Operand => (graph.isMadeBy(of, rank.name) ? of : graph.apply(rank, [graph.series(of)]))

const rankings: Readonly<Partial<Record<string, NonNullable<FunctionEntry['build']>>>> = {
  [rank.name]: (graph, { series: [of] }) => ranked(graph, of),
  [turned.name]: (graph, { series: [of] }) => graph.apply(turned, [ranked(graph, of)]),
}

const fills: Readonly<Record<string, GroupStatistic>> = {
  mean: section.mean,
  median: section.median,
  min: section.smallest,
  max: section.largest,
}

export const crossSection: readonly FunctionEntry[] = [
  ...direct.map((row) => {
    const made = entry(row, (_, operation) => operation)
    const build = rankings[row[0]]
    return build ? { ...made, build } : made
  }),
  ...statistics.map((row) => entry(row, (name, of) => groupStatistic(name, false, of, row[0] === 'cs_count' ? 0 : Number.NaN))),
  ...transformations.map((row) => entry(row, (name, of) => transformed(name, false, of, kernels[row[0]]?.(name)))),
  ...(
    [
      {
        name: 'cs_fill',
        label: '截面填补',
        args: [x, { name: 'by', label: '方式', kind: 'choice', choices: Object.keys(fills) }],
        doc: '缺失时取当日的均值、中位数、最小值或最大值：mean、median、min、max',
        example: "cs_fill(ytm, 'median')",
        build: (graph, { series: [of], texts: [by] }) => graph.apply(filled(`cs_fill ${by}`, false, fills[by]), [graph.series(of)]),
      },
      {
        name: 'cs_resid',
        label: '截面残差',
        args: [
          { ...y, label: '因变量' },
          { ...x, label: '自变量', repeat: true },
        ],
        layout: (given) => (given >= 2 && given <= 6 ? [y, ...Array<FunctionArgument>(given - 1).fill(x)] : null),
        doc: '当日对一至五个自变量（含截距）线性回归的残差；任一缺失的标的不参与，自变量之间线性相关时只取前者',
        example: 'cs_resid(conv_prem, log(remain_size), left_years)',
        build: (graph, { series }) =>
          graph.apply(
            residuals(series.length - 1),
            series.map((each) => graph.series(each)),
          ),
      },
      {
        name: 'cs_neutral',
        label: '截面中性化',
        args: [
          x,
          { name: 'size', label: '市值', kind: 'series', default: 'total_mv' },
          { name: 'group', label: '分组', kind: 'group', default: 'industry_1' },
        ],
        doc: '当日对市值的对数与分组线性回归的残差，默认按总市值与一级行业',
        example: 'cs_neutral(pb)',
        build: (graph, { series }) =>
          graph.apply(
            neutral,
            series.map((each) => graph.series(each)),
          ),
      },
      {
        name: 'cs_ic',
        label: '截面相关系数',
        args: [x, y],
        doc: '当日两个数值的相关系数，对所有标的相同；任一没有差别时缺失',
        example: 'cs_ic(close, conv_prem)',
        build: (graph, { series }) =>
          graph.apply(
            correlationOfDay,
            series.map((each) => graph.series(each)),
          ),
      },
    ] satisfies Parameters<typeof line>[0][]
  ).map((each) => line({ ...each, category: '截面', isCrossSection: true })),
]
