import { type Metric, type MetricRow, metrics } from '@convexa/contract/enums/metric'
import type { ShortMetrics } from '@convexa/contract/grid'
import { fixed, type Given, percent, signed, signedPercent } from '../../base/format.ts'
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
  /** The number of a run whose mean it is, by which it is defined. */
  shown: Metric
  /** Behind that definition, in its sentence. */
  more: string
}

const points = (value: Given) => (value === null || value === undefined ? '—' : `${signed(value * 100, 1)} 点`)
/** Mean of a day → of a year. */
const yearDays = 242

const row = (
  key: MetricKey,
  numbers: Pick<CellMetric, 'signed' | 'write' | 'writeDifference'>,
  { shown = key, more = '' }: { shown?: Metric; more?: string } = {},
): CellMetric => {
  const { label, short = label }: MetricRow = metrics[shown]
  return { key, label: short, title: label, shown, more, ...numbers }
}
const rates = { write: (value: Given) => signedPercent(value, 1), writeDifference: points }
const ratios = { write: (value: Given) => fixed(value), writeDifference: (value: Given) => signed(value) }

const afterCosts = '，扣除成本之后'

export const cellMetrics: readonly CellMetric[] = [
  row('sharpe', { signed: true, ...ratios }, { more: '，无风险利率取 0' }),
  row('annual_return', { signed: true, ...rates }, { more: afterCosts }),
  row('total_return', { signed: true, ...rates }, { more: afterCosts }),
  row('max_drawdown', { signed: false, ...rates }),
  row('calmar', { signed: true, ...ratios }),
  // On the wire that of a day, shown as that of a year.
  row(
    'turnover',
    { signed: false, write: (value) => times(value), writeDifference: (value) => `${signed(annual(value), 1)} 倍` },
    { shown: 'turnover_annual' },
  ),
  row('win_rate', { signed: false, write: (value) => percent(value, 1), writeDifference: points }),
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
