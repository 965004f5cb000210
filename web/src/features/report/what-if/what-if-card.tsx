import { metricLabel } from '@convexa/contract/enums/metric'
import type { MetricKey } from '@convexa/contract/metrics'
import type { ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import { signed, signedPercent, tone } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useLedger } from '../ledger-part.tsx'
import { isFractional, writeMetric } from '../metric-rows.ts'
import { gainParts } from '../report-queries.ts'
import styles from './what-if.module.css'
import { type Changed, mostProfitable, type ReportRange, withoutStretches, withoutThem } from './what-if.ts'

const shown: readonly MetricKey[] = [
  'annual_return',
  'max_drawdown',
  'sharpe',
  'volatility',
  'calmar',
  'excess_annual',
  'worst_day',
  'win_rate',
]

/** What is left of the report: without some stretches, without the securities that earned most. */
export interface LeftOut {
  stretches: readonly ReportRange[]
  /** How many of the most profitable securities. */
  best: number
}
export const nothingLeftOut: LeftOut = { stretches: [], best: 0 }

interface WhatIf {
  report: ReportCore
  leftOut: LeftOut
  onChange: (next: LeftOut) => void
}

/** The figures before and after; only there, and only computed, while something is left out. */
export const WhatIfCard = (given: WhatIf) =>
  given.leftOut.best > 0 ? <WithGains {...given} /> : given.leftOut.stretches.length > 0 ? <WithoutGains {...given} /> : null

function WithGains(given: WhatIf) {
  const { whole, state } = useLedger(given.report, gainParts)
  const changed = useMemo(
    () => whole && withoutThem(whole, given.leftOut.stretches, mostProfitable(whole, given.leftOut.best)),
    [whole, given.leftOut],
  )
  return changed ? <BeforeAndAfter {...given} changed={changed} /> : <Card title={title} state={state} />
}

function WithoutGains(given: WhatIf) {
  const { report, leftOut } = given
  const changed = useMemo(() => withoutStretches(report, leftOut.stretches), [report, leftOut])
  return <BeforeAndAfter {...given} changed={changed} />
}

const title = '剔除后重算'

function BeforeAndAfter({ report, leftOut, onChange, changed }: WhatIf & { changed: Changed }) {
  const { stretches, best } = leftOut
  const left = report.curves.dates.length - changed.dates.length
  return (
    <Card
      className={styles.whatIf}
      title={title}
      note={<>用这份报告的日收益在浏览器里重算，不重新选股；剩 {changed.dates.length} 个交易日</>}
      tools={
        <Button look={['small']} icon="undo" onClick={() => onChange(nothingLeftOut)}>
          全部恢复
        </Button>
      }
      foot={sentence(report, changed.metrics.annual_return, changed.dates.length)}
      bare
    >
      <Row gap={8} wrap className={styles.whatIfTags}>
        {stretches.map((one) => (
          <Tag
            key={one.from}
            name={`${one.from} 至 ${one.to}`}
            onRemove={() => onChange({ ...leftOut, stretches: stretches.filter((other) => other !== one) })}
          >
            剔除 {one.from} ~ {one.to}
          </Tag>
        ))}
        {best > 0 && (
          <Tag name="去掉最赚的几只" onRemove={() => onChange({ ...leftOut, best: 0 })}>
            去掉最赚的 {best} 只
          </Tag>
        )}
        {left > 0 && <span className="text-3 size-12">共少 {left} 日</span>}
      </Row>
      <div className="table-frame">
        <Table dense columns={[{ label: '指标' }, ...shown.map((key) => ({ label: metricLabel(key), numeric: true }))]}>
          <tr>
            <td>原报告</td>
            {shown.map((key) => (
              <td key={key} className="number">
                {writeMetric(key, report.metrics[key])}
              </td>
            ))}
          </tr>
          <tr>
            <td className="medium">剔除后</td>
            {shown.map((key) => (
              <td key={key} className="number strong">
                {writeMetric(key, changed.metrics[key])}
              </td>
            ))}
          </tr>
          <tr>
            <td className="text-2">变化</td>
            {shown.map((key) => (
              <Change key={key} ratio={!isFractional(key)} before={report.metrics[key]} after={changed.metrics[key]} />
            ))}
          </tr>
        </Table>
      </div>
    </Card>
  )
}

function Change({ before, after, ratio }: { before: number | null; after: number | null; ratio: boolean }) {
  const change = before === null || after === null ? null : after - before
  const text = ratio ? signed(change) : signedPercent(change)
  return <td className={`number ${change === null ? 'text-3' : tone(change, ratio ? 2 : 4)}`}>{text}</td>
}

function sentence({ metrics }: ReportCore, after: number | null, days: number): string {
  if (after === null) return days < 20 ? '剩下不足 20 个交易日，不年化。' : '剩下的日子不足以计算。'
  const before = metrics.annual_return
  if (before === null || before <= 0) return `剔除后年化 ${signedPercent(after)}。`
  if (after <= 0) return `剔除后转为亏损：收益都在被剔除的部分里。`
  const kept = after / before
  return `剔除后年化保留 ${Math.round(kept * 100)}%${kept < 0.6 ? '，收益很大一部分在被剔除的部分里。' : kept > 1 ? '，被剔除的部分本来拖累了结果。' : '。'}`
}
