import { metricLabel } from '@convexa/contract/enums/metric'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import { Card } from '../../ui/card.tsx'
import { NumberField } from '../../ui/controls.tsx'
import { Row } from '../../ui/layout.tsx'
import { Table } from '../../ui/table/table.tsx'
import '../../ui/form/form.css'
import { fixed, percent, signedPercent, tone } from '../../base/format.ts'
import { mostProfitable, withoutThem } from './what-if/what-if.ts'

const steps = [1, 3, 5, 10, 20] as const
const largest = 50

/** Whether a few securities carried it: the figures without the best of them, recomputed here. */
export function ConcentrationCard({
  report,
  best,
  onBest,
}: {
  report: ReportCore & Pick<Report, 'daily_contribution'>
  best: number
  onBest: (count: number) => void
}) {
  const winners = useMemo(() => mostProfitable(report, largest), [report])
  const total = report.metrics.total_return
  const rows = useMemo(
    () =>
      [...new Set([...steps, best].filter((n) => n > 0 && n <= winners.length))]
        .sort((a, b) => a - b)
        .map((n) => {
          const codes = winners.slice(0, n)
          const share = report.contributions.filter(({ code }) => codes.includes(code)).reduce((sum, one) => sum + one.share, 0)
          return { n, share, metrics: withoutThem(report, [], codes).metrics }
        }),
    [report, winners, best],
  )
  const five = rows.find(({ n }) => n === 5)
  return (
    <Card
      className="column"
      title="集中度"
      note="去掉最赚的 N 只，位置空着、钱不动"
      tools={
        <Row as="span" inline gap={8} className="size-12 text-2">
          去掉
          <NumberField
            label="去掉最赚的几只"
            value={best}
            width={96}
            unit="只"
            step={{ by: 1, min: 0, max: Math.min(largest, winners.length) }}
            onChange={(value) => onBest(Math.min(largest, winners.length, Math.max(0, Math.round(value || 0))))}
          />
        </Row>
      }
      foot={five ? `若去掉最赚的 5 只，年化变为 ${signedPercent(five.metrics.annual_return)}。` : '盈利的证券不足 5 只。'}
      bare
    >
      <div className="table-frame">
        <Table
          dense
          columns={[
            { label: '去掉' },
            { label: '它们占总收益', numeric: true },
            { label: '年化', numeric: true },
            { label: metricLabel('max_drawdown'), numeric: true },
            { label: '夏普', numeric: true },
          ]}
        >
          <tr>
            <td>0 只</td>
            <td className="number text-3">—</td>
            <td className={`number ${tone(report.metrics.annual_return)}`}>{signedPercent(report.metrics.annual_return)}</td>
            <td className="number">{signedPercent(report.metrics.max_drawdown)}</td>
            <td className="number">{fixed(report.metrics.sharpe)}</td>
          </tr>
          {rows.map(({ n, share, metrics }) => (
            <tr key={n} className={n === best ? 'current' : undefined}>
              <td>{n} 只</td>
              <td className="number">{total !== null && total > 0 ? percent(share / total, 1) : '—'}</td>
              <td className={`number ${tone(metrics.annual_return)}`}>{signedPercent(metrics.annual_return)}</td>
              <td className="number">{signedPercent(metrics.max_drawdown)}</td>
              <td className="number">{fixed(metrics.sharpe)}</td>
            </tr>
          ))}
        </Table>
      </div>
    </Card>
  )
}
