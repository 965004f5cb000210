import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useRef } from 'react'
import { fixed, missing, percent, signedPercent, tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import type { ChartHandle } from '../../ui/chart/chart-box.tsx'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { coloursOf, mostLines } from '../../ui/chart/kinds/lines.ts'
import { Table } from '../../ui/table/table.tsx'
import { captionOf, csvOf, fileNameOf } from './files.ts'
import { type MemberFigures, memberFigures } from './members.ts'
import { Chips } from './robustness/verdict-chips.tsx'
import { chipsOf, chipsOfReport } from './robustness/verdict-text.ts'
import { TimeLines } from './time-lines.tsx'

const two = (value: number) => fixed(value)

/** Of a group: each member by itself on the days of the report, beside all of them together. */
export function MembersCard({ report, onDay }: { report: ReportCore; onDay: (date: string) => void }) {
  const pen = useRef<ChartHandle>(null)
  const look = useChartTheme()
  const rows = useMemo(() => memberFigures(report), [report])
  const { dates, nav } = report.curves
  const lines = useMemo(
    () => [{ name: '组合', role: 'strategy' as const, values: nav }, ...rows.map(({ name, nav: values }) => ({ name, values }))],
    [nav, rows],
  )
  const colours = coloursOf(lines, look)
  if (rows.length === 0) return null
  return (
    <div className="report-pair">
      <ChartCard
        title="成员净值"
        note="起点 = 1.00 · 各自按占比拿到的资金"
        legend={lines.slice(0, mostLines).map(({ name }, i) => ({ name, mark: '', ...(colours[i] ? { colour: colours[i] } : {}) }))}
        left={Math.max(0, lines.length - mostLines)}
        pen={pen}
        fileName={fileNameOf(report, '成员净值')}
        caption={captionOf(report, '成员净值')}
        csv={() =>
          csvOf(
            report,
            ['日期', '组合', ...rows.map(({ name }) => name)],
            dates.map((date, i) => [date, nav[i], ...rows.map((row) => row.nav[i])]),
          )
        }
        table={() => <MemberRows report={report} rows={rows} />}
        foot="组合比成员平稳多少，看它们是否同涨同跌：相关越低，合在一起越有用。"
      >
        <div className="body">
          <TimeLines
            title="成员净值"
            dates={dates}
            lines={lines}
            format={two}
            base={1}
            height={280}
            watermark={isSynthetic(report.data_mode) ? dataModes.demo.label : null}
            oosStart={report.oos_start}
            onPick={onDay}
            pen={pen}
          />
        </div>
      </ChartCard>
      <Card
        className="column"
        title="成员"
        note={<>{report.group?.rebalance === 'monthly' ? '每月恢复占比' : '不恢复占比'} · 报告区间内</>}
        foot={
          <>
            贡献 = 占比 × 成员累计收益{report.group?.rebalance === 'monthly' ? '；每月恢复占比，所以相加不等于组合。' : '，相加等于组合。'}
          </>
        }
        bare
      >
        <MemberRows report={report} rows={rows} />
      </Card>
    </div>
  )
}

function MemberRows({ report, rows }: { report: ReportCore; rows: readonly MemberFigures[] }) {
  const { metrics } = report
  const chips = report.partial ? null : chipsOfReport(report)
  return (
    <div className="table-frame">
      <Table
        dense
        columns={[
          { label: '成员', look: () => 'medium', cell: (row) => row.name },
          {
            label: '占比',
            numeric: true,
            cell: (row) => percent(row.weight, Number.isInteger(Number((row.weight * 100).toFixed(2))) ? 0 : 2),
          },
          { label: '年化', numeric: true, look: (row) => tone(row.annual), cell: (row) => signedPercent(row.annual, 1) },
          { label: metricLabel('max_drawdown'), numeric: true, cell: (row) => signedPercent(row.drawdown, 1) },
          { label: '夏普', numeric: true, className: 'wide-only', cell: (row) => fixed(row.sharpe) },
          { label: '贡献', numeric: true, look: (row) => tone(row.share), cell: (row) => signedPercent(row.share, 1) },
          { label: '相关', title: '成员与组合日收益的相关系数', numeric: true, cell: (row) => fixed(row.correlation) },
          { label: '结论', cell: (row) => (row.verdict ? <Chips chips={chipsOf(row.verdict, 6)} /> : missing) },
        ]}
        rows={rows}
        rowKey={(row) => row.name}
      >
        <tr className="total">
          <td>组合</td>
          <td className="number">100%</td>
          <td className={`number ${tone(metrics.annual_return)}`}>{signedPercent(metrics.annual_return, 1)}</td>
          <td className="number">{signedPercent(metrics.max_drawdown, 1)}</td>
          <td className="number wide-only">{fixed(metrics.sharpe)}</td>
          <td className={`number ${tone(metrics.total_return)}`}>{signedPercent(metrics.total_return, 1)}</td>
          <td className="number">{missing}</td>
          <td>{chips ? <Chips chips={chips} /> : missing}</td>
        </tr>
      </Table>
    </div>
  )
}
