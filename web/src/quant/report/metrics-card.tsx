import type { MetricKey, Metrics } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import { tone } from '../../ui/format.ts'
import { Definition } from './definition.tsx'
import { isReturn, type MetricRow, metricGroups, shownMetrics, writeMetric } from './metric-rows.ts'
import './metrics.css'

/** Every metric with its definition behind its name; the benchmark's and the out-of-sample part's beside it. */
export function MetricsCard({ report }: { report: Report }) {
  const { metrics, oos } = shownMetrics(report)
  return (
    <section className="card" aria-label="指标">
      <header>
        <h2>指标</h2>
        <span className="text-3">每年 242 个交易日，无风险利率 0，样本标准差 · 点名称看定义</span>
      </header>
      <div className="metric-groups">
        {metricGroups.map(({ title, rows }) => {
          const withBench = rows.some((row) => row.bench)
          return (
            <table key={title} className="table compact">
              <thead>
                <tr>
                  <th>{title}</th>
                  <th className="number">策略</th>
                  {withBench && <th className="number">基准</th>}
                  {oos && <th className="number">样本外</th>}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.key}>
                    <td>
                      <Definition report={report} metric={row.key} value={writeMetric(row, metrics[row.key])} />
                    </td>
                    <Value row={row} metrics={metrics} strong />
                    {withBench &&
                      (row.bench ? <Value row={row} metrics={report.benchmark_metrics} /> : <td className="number text-3">—</td>)}
                    {oos && <Value row={row} metrics={oos} />}
                  </tr>
                ))}
              </tbody>
            </table>
          )
        })}
      </div>
    </section>
  )
}

function Value({ row, metrics, strong = false }: { row: MetricRow; metrics: Pick<Metrics, MetricKey>; strong?: boolean }) {
  const value = metrics[row.key]
  const look = isReturn(row) ? tone(value) : ''
  return <td className={`number ${look} ${strong ? 'medium' : ''} ${value === null ? 'text-3' : ''}`}>{writeMetric(row, value)}</td>
}
