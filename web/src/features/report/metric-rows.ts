import { metrics } from '@convexa/contract/enums/metric'
import type { MetricKey, Metrics } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import { count, fixed, missing, percent, signedPercent } from '../../base/format.ts'
import { neverBought } from './sentences.ts'

export interface MetricGroup {
  readonly title: string
  /** The benchmark has them too. */
  readonly ofBench: boolean
  readonly keys: readonly MetricKey[]
}

/** Every metric in the order it is read, by what it answers. */
export const metricGroups: readonly MetricGroup[] = [
  {
    title: '赚了多少',
    ofBench: true,
    keys: [
      ...(['total_return', 'annual_return', 'recent_1y', 'win_rate', 'month_win_rate', 'profit_loss_ratio'] as const),
      ...(['sharpe', 'sortino', 'calmar'] as const),
    ],
  },
  {
    title: '冒了多大险',
    ofBench: true,
    keys: [
      ...(['max_drawdown', 'recovery_days', 'longest_drawdown_days', 'volatility', 'downside_volatility', 'worst_day'] as const),
      ...(['var95', 'cvar95', 'ulcer_index', 'skew', 'kurtosis'] as const),
    ],
  },
  {
    title: '比基准如何 · 怎样交易',
    ofBench: false,
    keys: [
      ...(['excess_annual', 'excess_max_drawdown', 'information_ratio', 'tracking_error', 'alpha', 'beta', 'correlation'] as const),
      ...(['turnover_annual', 'avg_holdings', 'avg_holding_days', 'trades', 'fees'] as const),
    ],
  },
]

const noMetrics = Object.fromEntries(metricGroups.flatMap(({ keys }) => keys.map((key) => [key, null]))) as Record<MetricKey, null>

/** The run's figures as the page and its files show them: of one that bought nothing only the counts are true. */
export function shownMetrics(report: Pick<Report, 'metrics' | 'trades_total' | 'contributions'>): {
  metrics: Pick<Metrics, MetricKey>
  oos: Pick<Metrics, MetricKey> | null
} {
  const { metrics } = report
  if (!neverBought(report)) return { metrics, oos: metrics.oos ?? null }
  return { metrics: { ...noMetrics, trades: metrics.trades, fees: metrics.fees, avg_holdings: 0 }, oos: null }
}

export function writeMetric(key: MetricKey, value: number | null | undefined): string {
  if (value === null || value === undefined) return missing
  const { unit, decimals, signed } = metrics[key]
  if (isFractional(key)) return signed ? signedPercent(value, decimals) : percent(value, decimals)
  // A whole number among means keeps its decimal: columns side by side are as exact as one another.
  const number = decimals === 0 ? count(value) : fixed(value, decimals)
  return unit === '' ? number : `${number} ${unit}`
}

/** On the wire a fraction, written as a per cent. */
export const isFractional = (key: MetricKey): boolean => metrics[key].unit === '%'
