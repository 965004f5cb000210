import type { ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import { signedPercent, tone } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { useTimeLink } from '../../../ui/chart/link.ts'
import { Row } from '../../../ui/layout.tsx'
import styles from './what-if.module.css'
import { type ReportRange, stretchFigures } from './what-if.ts'

/** What happened in the range that is brushed, and the way to see the report without it. */
export function RangeStrip({ report, onLeaveOut }: { report: ReportCore; onLeaveOut: (stretch: ReportRange) => void }) {
  const link = useTimeLink()
  const range = link?.range ?? null
  const figures = useMemo(() => range && stretchFigures(report, range), [report, range])
  if (!link || !range || !figures) return null
  const { dates } = report.curves
  const whole = figures.days >= dates.length
  return (
    <Row wrap className={`card-line screen-only ${styles.rangeStrip}`} role="status">
      <span>
        选中 <b>{figures.from}</b> 至 <b>{figures.to}</b>，{figures.days} 个交易日
      </span>
      <span>
        策略 <b className={tone(figures.own)}>{signedPercent(figures.own)}</b>
      </span>
      <span>
        基准 <b className={tone(figures.bench)}>{signedPercent(figures.bench)}</b>
      </span>
      <span>
        期间最大回撤 <b>{signedPercent(figures.depth)}</b>
      </span>
      <span className="grow" />
      <Button
        look={['small']}
        disabled={whole}
        onClick={() => {
          onLeaveOut({ from: figures.from, to: figures.to })
          link.setRange(null)
        }}
      >
        剔除该区间重算
      </Button>
      <Button look={['small', 'ghost']} title="在图上双击也可以" onClick={() => link.setRange(null)}>
        看全部
      </Button>
    </Row>
  )
}
