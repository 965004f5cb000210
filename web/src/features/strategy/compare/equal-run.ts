import type { Settings } from '@convexa/contract/backtest'
import { metrics } from '@convexa/contract/enums/metric'
import type { QuickBacktestResult } from '@convexa/contract/grid'
import type { Report } from '@convexa/contract/report'
import { type CellMetric, cellMetrics } from '../../grid/cell-metrics.ts'
import { bestOf, type CompareRow } from './compare-rows.ts'

export type EqualAnswer = Pick<QuickBacktestResult, 'metrics' | 'data_version'>

/** The same terms for all: range and costs as given, ideal execution at the close, each in its own market with its own benchmark. */
export function equalSettings(
  report: Pick<Report, 'settings'>,
  like: Pick<Report, 'settings'>,
  range: { from: string; to: string },
): Settings {
  const { cost, fill, capital } = like.settings
  const { oos_start: _start, ...own } = report.settings
  return { ...own, cost, fill, capital, start_date: range.from, end_date: range.to, execution: 'ideal' }
}

/** Rows of the table: a column for each that was asked, null where there is no answer. */
export const equalRows = (answers: readonly (EqualAnswer | null)[]): CompareRow[] =>
  cellMetrics.map((metric: CellMetric) => {
    const values = answers.map((answer) => answer?.metrics[metric.key] ?? null)
    const texts = values.map((value) => metric.write(value))
    const best = bestOf(texts, values, metrics[metric.key].better)
    const isReturn = metric.key === 'annual_return' || metric.key === 'total_return'
    return {
      key: `equal ${metric.key}`,
      label: metric.title,
      cells: answers.map(
        (answer, i) => answer && { text: texts[i] ?? '', value: values[i] ?? null, signed: isReturn, best: best[i] ?? false },
      ),
    }
  })
