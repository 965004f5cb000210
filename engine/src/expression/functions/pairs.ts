import { type FunctionArgument, type FunctionEntry, line, twoDays, x, y } from './function.ts'
import { gather, keptPoints } from './gather.ts'
import { ofPairWindow } from './pair-window.ts'
import * as statistics from './statistics.ts'

const explainedBy: FunctionArgument = { ...x, label: '自变量' }
const explained: FunctionArgument = { ...y, label: '因变量' }

/** name, aliases, label, doc, example, statistic */
type Pair = readonly [string, readonly string[], string, string, string, statistics.PairStatistic]

const symmetric: readonly Pair[] = [
  [
    'ts_corr',
    ['corr', 'correlation'],
    '相关系数',
    '最近 n 个交易日的相关系数；任一没有波动时缺失',
    'ts_corr(close, vol, 20)',
    'correlation',
  ],
  ['ts_cov', ['cov', 'covariance'], '协方差', '最近 n 个交易日的协方差（自由度减一）', 'ts_cov(close, vol, 20)', 'covariance'],
]

const regressions: readonly Pair[] = [
  ['ts_beta', ['beta'], '回归斜率', '最近 n 个交易日 y 对 x 线性回归的斜率', "ts_beta(pct(close, 1), mkt('cb_ew', 'pct'), 60)", 'beta'],
  ['ts_alpha', [], '回归截距', '最近 n 个交易日 y 对 x 线性回归的截距', "ts_alpha(pct(close, 1), mkt('cb_ew', 'pct'), 60)", 'alpha'],
  ['ts_resid', [], '回归残差', '最近 n 个交易日 y 对 x 线性回归在当日的残差', 'ts_resid(close, conv_value, 60)', 'residual'],
  ['ts_rsq', [], '拟合优度', '最近 n 个交易日 y 对 x 线性回归的 R²', 'ts_rsq(close, conv_value, 60)', 'explained'],
]

const entry = ([name, aliases, label, doc, example, of]: Pair, args: readonly FunctionArgument[], isTurned: boolean): FunctionEntry =>
  line({
    name,
    aliases,
    label,
    category: '时序',
    args,
    minimum: true,
    lookback: ([window]) => window - 1,
    doc: `${doc}；一方缺失的日子不计`,
    example,
    build: (graph, { series, numbers: [window], minimum }) => {
      const [a, b] = series.map((each) => graph.series(each))
      return ofPairWindow(graph, name, of, isTurned ? b : a, isTurned ? a : b, window, minimum ?? window)
    },
  })

/** Windows of two series. Regressions are written y first, as people say “y on x”. */
export const pairs: readonly FunctionEntry[] = [
  ...symmetric.map((row) => entry(row, [x, y, twoDays], false)),
  ...regressions.map((row) => entry(row, [explained, explainedBy, twoDays], true)),
  line({
    name: 'ts_rank_corr',
    label: '秩相关系数',
    category: '时序',
    args: [x, y, twoDays],
    minimum: true,
    lookback: ([window]) => window - 1,
    doc: '最近 n 个交易日的秩相关系数（Spearman），相同值取平均名次；一方缺失的日子不计',
    example: 'ts_rank_corr(close, vol, 20)',
    build: (graph, { series, numbers: [window], minimum }) => {
      const gathering = {
        ...{ name: 'ts_rank_corr', of: statistics.rankCorrelation, weight: Math.ceil(window / 4) },
        ...{ kernel: 'rank_corr_of_members', slides: { kept: keptPoints } },
      }
      const both = series.map((each) => graph.series(each))
      return gather(graph, gathering, both, window, minimum ?? window)
    },
  }),
]
