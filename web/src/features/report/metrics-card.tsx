import { metrics as metricRows } from '@convexa/contract/enums/metric'
import type { MetricKey, Metrics } from '@convexa/contract/metrics'
import type { ReportCore } from '@convexa/contract/report'
import { tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { Table } from '../../ui/table/table.tsx'
import { Definition } from './definition.tsx'
import { metricGroups, shownMetrics, writeMetric } from './metric-rows.ts'
import styles from './metrics.module.css'

/** Every metric with its definition behind its name; the benchmark's and the out-of-sample part's beside it. */
export function MetricsCard({ report }: { report: ReportCore }) {
  const { metrics, oos } = shownMetrics(report)
  return (
    <Card title="指标" note="每年 242 个交易日，无风险利率 0，样本标准差 · 点名称看定义" bare>
      <div className={styles.metricGroups}>
        {metricGroups.map(({ title, keys, ofBench }) => {
          return (
            <Table
              key={title}
              dense
              columns={[
                { label: title },
                { label: '策略', numeric: true },
                ...(ofBench ? [{ label: '基准', numeric: true }] : []),
                ...(oos ? [{ label: '样本外', numeric: true }] : []),
              ]}
            >
              {keys.map((key) => (
                <tr key={key}>
                  <td>
                    <Definition report={report} metric={key} value={writeMetric(key, metrics[key])} />
                  </td>
                  <Value metric={key} metrics={metrics} strong />
                  {ofBench && <Value metric={key} metrics={report.benchmark_metrics} />}
                  {oos && <Value metric={key} metrics={oos} />}
                </tr>
              ))}
            </Table>
          )
        })}
      </div>
    </Card>
  )
}

function Value({ metric, metrics, strong = false }: { metric: MetricKey; metrics: Pick<Metrics, MetricKey>; strong?: boolean }) {
  const value = metrics[metric]
  const look = metricRows[metric].signed ? tone(value) : ''
  return <td className={`number ${look} ${strong ? 'medium' : ''} ${value === null ? 'text-3' : ''}`}>{writeMetric(metric, value)}</td>
}
