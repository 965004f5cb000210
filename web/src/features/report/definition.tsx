import type { MetricKey } from '@convexa/contract/metrics'
import type { ReportCore } from '@convexa/contract/report'
import type { ReactNode } from 'react'
import { Popover } from '../../ui/popover.tsx'
import { metricWords } from './metric-labels.ts'
import { workedOut } from './metric-worked.ts'
import './definition.module.css'

/** A metric's name as a button: it opens what the number means, how it is computed, with this run's numbers, and how it is misread. */
export function Definition({
  report,
  metric,
  value,
  className,
  align,
  children,
}: {
  report: ReportCore
  metric: MetricKey
  /** What is shown for it here, repeated in the panel. */
  value: string
  className?: string
  align?: 'left' | 'right'
  children?: ReactNode
}) {
  const meta = report.metric_meta[metric]
  const label = meta?.label ?? metric
  if (!meta) return <span className={className}>{children ?? label}</span>
  return (
    <Popover className={className ?? 'definition'} align={align ?? 'left'} button={children ?? label}>
      {() => <Panel report={report} metric={metric} label={label} value={value} />}
    </Popover>
  )
}

function Panel({ report, metric, label, value }: { report: ReportCore; metric: MetricKey; label: string; value: string }) {
  const meta = report.metric_meta[metric]
  const { meaning, mistake, elsewhere } = metricWords[metric]
  const { numbers, money } = workedOut(report, metric)
  const { start_date, end_date, days } = report.metrics
  const rows: readonly (readonly [name: string, text: string | null | undefined])[] = [
    ['定义', meaning],
    ['公式', meta?.formula],
    ['本次', numbers],
    ['区间', `${start_date} ~ ${end_date}，${days} 个交易日`],
    ['换成钱', money],
    ['常见误读', mistake],
    ['别的软件', elsewhere],
    ['注意', meta?.note],
  ]
  return (
    <dl className="definition-panel">
      <dt>{label}</dt>
      <dd className="strong">{value}</dd>
      {rows.map(
        ([name, text]) =>
          text && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
