import type { MetricKey } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import type { ReactNode } from 'react'
import { Menu } from '../../ui/menu.tsx'
import './definition.css'

/** A metric's name as a button: it opens what the number means, how it is computed and how it is misread. */
export function Definition({
  report,
  metric,
  value,
  className,
  align,
  children,
}: {
  report: Report
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
    <Menu className={className ?? 'definition'} align={align ?? 'left'} button={children ?? label}>
      {() => (
        <dl className="definition-panel">
          <dt>{label}</dt>
          <dd className="strong">{value}</dd>
          <dt>公式</dt>
          <dd>{meta.formula}</dd>
          {meta.note && (
            <>
              <dt>注意</dt>
              <dd>{meta.note}</dd>
            </>
          )}
          <dt>本次</dt>
          <dd>
            {report.metrics.start_date} ~ {report.metrics.end_date}，{report.metrics.days} 个交易日
          </dd>
        </dl>
      )}
    </Menu>
  )
}
