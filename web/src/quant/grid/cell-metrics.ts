import type { ShortMetrics } from '@convexa/contract/grid'
import { fixed, type Given, percent, signed, signedPercent } from '../../ui/format.ts'
import type { Cell } from './grid-model.ts'

export type MetricKey = keyof ShortMetrics
/** 样本内, 样本外, and how much of the one is left in the other. */
export type Part = 'inside' | 'outside' | 'difference'

export interface CellMetric {
  key: MetricKey
  label: string
  /** In a card's title. */
  title: string
  /** Values have a sign that means gain or loss. */
  signed: boolean
  write: (value: Given) => string
  writeDifference: (value: Given) => string
  /** One sentence of what it is. */
  meaning: string
}

const points = (value: Given) => (value === null || value === undefined ? '—' : `${signed(value * 100, 1)} 点`)
/** Mean of a day → of a year. */
const yearDays = 242

export const cellMetrics: readonly CellMetric[] = [
  {
    ...{ key: 'sharpe', label: '夏普', title: '夏普比率', signed: true },
    ...{ write: (value) => fixed(value), writeDifference: (value) => signed(value) },
    meaning: '日收益均值 ÷ 日波动，按 242 个交易日年化，无风险利率取 0',
  },
  {
    ...{ key: 'annual_return', label: '年化收益', title: '年化收益', signed: true },
    ...{ write: (value) => signedPercent(value, 1), writeDifference: points },
    meaning: '(1 + 累计收益)^(242 ÷ 交易日数) − 1，扣除成本之后',
  },
  {
    ...{ key: 'total_return', label: '累计收益', title: '累计收益', signed: true },
    ...{ write: (value) => signedPercent(value, 1), writeDifference: points },
    meaning: '期末净值 ÷ 期初净值 − 1，扣除成本之后',
  },
  {
    ...{ key: 'max_drawdown', label: '最大回撤', title: '最大回撤', signed: false },
    ...{ write: (value) => signedPercent(value, 1), writeDifference: points },
    meaning: '从最高点到其后最低点的跌幅中最大的一次',
  },
  {
    ...{ key: 'calmar', label: '卡玛', title: '卡玛比率', signed: true },
    ...{ write: (value) => fixed(value), writeDifference: (value) => signed(value) },
    meaning: '年化收益 ÷ 最大回撤的大小',
  },
  {
    ...{ key: 'turnover', label: '年换手', title: '年换手', signed: false },
    ...{ write: (value) => times(value), writeDifference: (value) => `${signed(annual(value), 1)} 倍` },
    meaning: '每日换手（买卖金额之和的一半 ÷ 资产）的均值 × 242',
  },
  {
    ...{ key: 'win_rate', label: '日胜率', title: '日胜率', signed: false },
    ...{ write: (value) => percent(value, 1), writeDifference: points },
    meaning: '上涨的交易日占全部交易日的比例',
  },
]

const annual = (value: Given) => (value === null || value === undefined ? null : value * yearDays)
const times = (value: Given) => (annual(value) === null ? '—' : `${fixed(annual(value), 1)} 倍`)

/** A figure in the unit that its label says, as a number: the wire has the turnover of a day. */
export const numberOf = (key: MetricKey, value: number | null | undefined): number | null =>
  key === 'turnover' ? annual(value) : (value ?? null)

export const metricOf = (key: MetricKey): CellMetric => cellMetrics.find((one) => one.key === key) ?? (cellMetrics[0] as CellMetric)

export function figureOf(cell: Cell | undefined, key: MetricKey, part: Part): number | null {
  if (!cell) return null
  const inside = cell.metrics[key]
  const outside = cell.oos_metrics?.[key] ?? null
  if (part === 'inside') return inside
  if (part === 'outside') return outside
  return inside === null || outside === null ? null : outside - inside
}

export const written = (metric: CellMetric, part: Part, value: Given): string =>
  part === 'difference' ? metric.writeDifference(value) : metric.write(value)
