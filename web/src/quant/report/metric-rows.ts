import type { MetricKey, Metrics } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import { count, fixed, missing, percent, signedPercent } from '../../ui/format.ts'
import { neverBought } from './sentences.ts'

type Writing = 'return' | 'share' | 'ratio' | 'days' | 'mean-days' | 'times' | 'count' | 'mean' | 'yuan'

export interface MetricRow {
  key: MetricKey
  /** Until the report's own words are there. */
  label: string
  writing: Writing
  /** The benchmark has one too. */
  bench?: true
}

/** Every metric in the order it is read, by what it answers. */
export const metricGroups: readonly { title: string; rows: readonly MetricRow[] }[] = [
  {
    title: '赚了多少',
    rows: [
      { key: 'total_return', label: '累计收益', writing: 'return', bench: true },
      { key: 'annual_return', label: '年化收益', writing: 'return', bench: true },
      { key: 'recent_1y', label: '近一年', writing: 'return', bench: true },
      { key: 'win_rate', label: '日胜率', writing: 'share', bench: true },
      { key: 'month_win_rate', label: '月胜率', writing: 'share', bench: true },
      { key: 'profit_loss_ratio', label: '盈亏比', writing: 'ratio', bench: true },
      { key: 'sharpe', label: '夏普比率', writing: 'ratio', bench: true },
      { key: 'sortino', label: '索提诺比率', writing: 'ratio', bench: true },
      { key: 'calmar', label: '卡玛比率', writing: 'ratio', bench: true },
    ],
  },
  {
    title: '冒了多大险',
    rows: [
      { key: 'max_drawdown', label: '最大回撤', writing: 'return', bench: true },
      { key: 'recovery_days', label: '修复天数', writing: 'days', bench: true },
      { key: 'longest_drawdown_days', label: '最长回撤天数', writing: 'days', bench: true },
      { key: 'volatility', label: '年化波动', writing: 'share', bench: true },
      { key: 'downside_volatility', label: '下行波动', writing: 'share', bench: true },
      { key: 'worst_day', label: '最大单日跌幅', writing: 'return', bench: true },
      { key: 'var95', label: 'VaR95', writing: 'return', bench: true },
      { key: 'cvar95', label: 'CVaR95', writing: 'return', bench: true },
      { key: 'ulcer_index', label: '溃疡指数', writing: 'share', bench: true },
      { key: 'skew', label: '偏度', writing: 'ratio', bench: true },
      { key: 'kurtosis', label: '峰度', writing: 'ratio', bench: true },
    ],
  },
  {
    title: '比基准如何 · 怎样交易',
    rows: [
      { key: 'excess_annual', label: '超额年化', writing: 'return' },
      { key: 'excess_max_drawdown', label: '超额最大回撤', writing: 'return' },
      { key: 'information_ratio', label: '信息比率', writing: 'ratio' },
      { key: 'tracking_error', label: '跟踪误差', writing: 'share' },
      { key: 'alpha', label: 'Alpha', writing: 'return' },
      { key: 'beta', label: 'Beta', writing: 'ratio' },
      { key: 'correlation', label: '与基准相关', writing: 'ratio' },
      { key: 'turnover_annual', label: '年换手', writing: 'times' },
      { key: 'avg_holdings', label: '平均持仓数', writing: 'mean' },
      { key: 'avg_holding_days', label: '平均持有天数', writing: 'mean-days' },
      { key: 'trades', label: '成交笔数', writing: 'count' },
      { key: 'fees', label: '费用合计', writing: 'yuan' },
    ],
  },
]

const noMetrics = Object.fromEntries(metricGroups.flatMap(({ rows }) => rows.map(({ key }) => [key, null]))) as Record<MetricKey, null>

/** The run's figures as the page and its files show them: of one that bought nothing only the counts are true. */
export function shownMetrics(report: Pick<Report, 'metrics' | 'trades_total' | 'contributions'>): {
  metrics: Pick<Metrics, MetricKey>
  oos: Pick<Metrics, MetricKey> | null
} {
  const { metrics } = report
  if (!neverBought(report)) return { metrics, oos: metrics.oos ?? null }
  return { metrics: { ...noMetrics, trades: metrics.trades, fees: metrics.fees, avg_holdings: 0 }, oos: null }
}

const writings: Record<Writing, (value: number | null) => string> = {
  return: (value) => signedPercent(value),
  share: (value) => percent(value),
  ratio: (value) => fixed(value),
  days: (value) => (value === null ? missing : `${count(value)} 日`),
  // A whole number among means keeps its decimal: columns side by side are as exact as one another.
  'mean-days': (value) => (value === null ? missing : `${fixed(value, 1)} 日`),
  times: (value) => (value === null ? missing : `${fixed(value, 1)} 倍`),
  count,
  mean: (value) => fixed(value, 1),
  yuan: (value) => (value === null ? missing : `${count(value)} 元`),
}
export const writeMetric = (row: MetricRow, value: number | null | undefined): string => writings[row.writing](value ?? null)
/** Only returns have a colour. */
export const isReturn = (row: MetricRow): boolean => row.writing === 'return'
