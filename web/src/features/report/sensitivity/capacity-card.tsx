import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useRef } from 'react'
import { fixed, percent, signedPercent, tone } from '../../../base/format.ts'
import { Card } from '../../../ui/card.tsx'
import { ChartBox, type ChartHandle } from '../../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../../ui/chart/chart-theme.ts'
import { tip } from '../../../ui/chart/tip.ts'
import { Table } from '../../../ui/table/table.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import { CapacityLine } from './capacity-line.tsx'
import { capacityOption } from './capacity-option.ts'
import { capacitySentence, capacitySize, capitalName, ownCapital, tooLittleFilled } from './cost.ts'
import './sensitivity.module.css'

/** The same rule with more money, where no more than a tenth of a day's turnover may be traded. */
export function CapacityCard({ report }: { report: ReportCore }) {
  const { capacity } = report
  const look = useChartTheme()
  const pen = useRef<ChartHandle>(null)
  const own = ownCapital(report)
  const watermark = isSynthetic(report.data_mode) ? dataModes.demo.label : null
  const option = useMemo(() => {
    const unfilled = capacity.map(({ fill_rate }) => (fill_rate === null ? null : 1 - fill_rate))
    const words = (index: number) => {
      const row = capacity[index]
      if (!row) return ''
      return tip(`${capitalName(row.capital)}元`, [
        { mark: '', name: '年化', value: signedPercent(row.annual_return) },
        { mark: 'none', name: '未成交', value: percent(unfilled[index]) },
      ])
    }
    const beyond = capacity.findIndex(({ fill_rate }) => fill_rate !== null && fill_rate < tooLittleFilled)
    const names = capacity.map(({ capital }) => capitalName(capital))
    return capacityOption({ names, annual: capacity.map((row) => row.annual_return), unfilled, own, beyond, watermark }, look, words)
  }, [capacity, own, watermark, look])
  if (capacity.length === 0) {
    return (
      <Card title="容量" bare>
        <p className="body text-2">{capacitySentence(report)}</p>
      </Card>
    )
  }
  return (
    <div className="report-pair">
      <ChartCard
        title="容量"
        note="每只每日最多成交当日成交额的 10%"
        legend={[
          { name: '年化(左)', mark: '' },
          { name: '未成交比例(右)', mark: '', colour: look.warn },
        ]}
        pen={pen}
        fileName={fileNameOf(report, '容量')}
        caption={captionOf(report, '容量')}
        csv={() =>
          csvOf(
            report,
            ['资金(万元)', '年化(%)', '夏普', '最大回撤(%)', '未成交(%)'],
            capacity.map((row) => [
              row.capital,
              asPercent(row.annual_return),
              row.sharpe ?? null,
              asPercent(row.max_drawdown ?? null),
              row.fill_rate === null ? null : asPercent(1 - row.fill_rate),
            ]),
          )
        }
        table={() => <CapacityTable report={report} own={own} />}
        foot={capacitySentence(report)}
      >
        <div className="body">
          <ChartBox
            option={option}
            shape="capacity"
            label={`容量：资金从 ${capitalName(capacity[0]?.capital ?? 0)}到 ${capitalName(capacity.at(-1)?.capital ?? 0)}元的年化与未成交比例。左右键逐档。`}
            height={264}
            points={capacity.length}
            describe={(index) =>
              `${capitalName(capacity[index]?.capital ?? 0)}元，年化 ${signedPercent(capacity[index]?.annual_return)}，成交 ${percent(capacity[index]?.fill_rate)}`
            }
            pen={pen}
          />
        </div>
        <CapacityLine report={report} />
      </ChartCard>
      <Card
        className="column"
        title="容量明细"
        tools={
          <span className="text-3" title="想买的还能买到 90% 的资金">
            容量@90% {capacitySize(capacity)} · 你的资金 {capitalName(report.settings.capital)}元
          </span>
        }
        foot="未成交超过 5% 的行用琥珀色标出，它的年化不是原策略的。"
        bare
      >
        <CapacityTable report={report} own={own} />
      </Card>
    </div>
  )
}

function CapacityTable({ report: { capacity }, own }: { report: ReportCore; own: number }) {
  return (
    <div className="table-frame">
      <Table
        dense
        columns={[
          { label: '资金' },
          { label: '年化', numeric: true },
          { label: '与当前相差', numeric: true },
          { label: '夏普', numeric: true },
          { label: metricLabel('max_drawdown'), numeric: true },
          { label: '未成交', numeric: true },
        ]}
      >
        {capacity.map((row, i) => {
          const base = capacity[own]?.annual_return ?? null
          const gap = base === null || row.annual_return === null ? null : row.annual_return - base
          const unfilled = row.fill_rate === null ? null : 1 - row.fill_rate
          return (
            <tr key={row.capital} className={i === own ? 'current' : undefined}>
              <td className="medium">{capitalName(row.capital)}</td>
              <td className={`number ${tone(row.annual_return)}`}>{signedPercent(row.annual_return)}</td>
              <td className="number text-2">{i === own ? '—' : signedPercent(gap)}</td>
              <td className="number">{fixed(row.sharpe)}</td>
              <td className="number">{signedPercent(row.max_drawdown)}</td>
              <td className={`number ${unfilled !== null && unfilled > 1 - tooLittleFilled ? 'warn' : ''}`}>{percent(unfilled, 1)}</td>
            </tr>
          )
        })}
      </Table>
    </div>
  )
}
