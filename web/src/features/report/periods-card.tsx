import { metricLabel } from '@convexa/contract/enums/metric'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useState } from 'react'
import { fixed, missing, percent, signed, signedPercent, tone } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { useMarkTips } from '../../ui/chart/mark-tips.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Table } from '../../ui/table/table.tsx'
import { useLedger } from './ledger-part.tsx'
import { monthBest } from './month-best.ts'
import { heatOf, monthTable } from './month-table.ts'
import styles from './periods.module.css'
import { gainParts } from './report-queries.ts'
import { monthsSentence, neverBought } from './sentences.ts'

const yearWords = (row: Report['yearly'][number]) => `${row.start} ~ ${row.end}${row.partial ? '，不足一年' : ''}，点击在净值图中放大`

/** A tenth of a point says nothing of a whole that is the capital many times over, and the column has no room for it. */
const wholePercent = (value: number | null) => signedPercent(value, value !== null && Math.abs(value) >= 10 ? 0 : 1)

/** The table of years with the whole range below it, and ten metrics more. */
export function YearlyCard({ report, onZoom }: { report: ReportCore; onZoom: (from: string, to: string) => void }) {
  const { metrics, benchmark_metrics: bench } = report
  const table = monthTable(report.monthly, report.yearly, 'nav_return')
  const partial = report.yearly.some((row) => row.partial)
  const excess =
    metrics.total_return === null || bench.total_return === null ? null : (1 + metrics.total_return) / (1 + bench.total_return) - 1
  const short: readonly [string, string, string?][] = [
    [metricLabel('downside_volatility'), percent(metrics.downside_volatility)],
    [metricLabel('calmar'), fixed(metrics.calmar)],
    ['Beta / 相关', `${fixed(metrics.beta)} / ${fixed(metrics.correlation)}`],
    [metricLabel('win_rate'), percent(metrics.win_rate, 1)],
    [metricLabel('avg_holding_days'), metrics.avg_holding_days === null ? missing : `${fixed(metrics.avg_holding_days, 1)} 日`],
    [metricLabel('sortino'), fixed(metrics.sortino)],
    [metricLabel('information_ratio'), fixed(metrics.information_ratio)],
    [metricLabel('worst_day'), signedPercent(metrics.worst_day)],
    [metricLabel('var95'), signedPercent(metrics.var95)],
    metrics.oos
      ? ['样本外年化', signedPercent(metrics.oos.annual_return), tone(metrics.oos.annual_return)]
      : [metricLabel('excess_annual'), signedPercent(metrics.excess_annual), tone(metrics.excess_annual)],
  ]
  const facts = neverBought(report) ? short.map(([name]) => [name, missing] as const) : short
  return (
    <Card className="column" title="年度表现" tools={partial && <span className="text-3">* 不足一年，未年化</span>} bare>
      <div className="table-frame">
        <Table
          className={styles.years}
          columns={[
            {
              label: '年',
              look: () => 'medium',
              cell: (row) => (
                <button type="button" className="plain" title={yearWords(row)} onClick={() => onZoom(row.start, row.end)}>
                  {row.period}
                  {row.partial && '*'}
                </button>
              ),
            },
            { label: '策略', numeric: true, look: (row) => tone(row.nav_return), cell: (row) => signedPercent(row.nav_return, 1) },
            { label: '基准', numeric: true, look: (row) => tone(row.bench_return), cell: (row) => signedPercent(row.bench_return, 1) },
            { label: '超额', numeric: true, look: (row) => tone(row.excess), cell: (row) => signedPercent(row.excess, 1) },
            { label: metricLabel('max_drawdown'), numeric: true, cell: (row) => signedPercent(row.max_drawdown, 1) },
            { label: '波动', numeric: true, className: 'wide-only', cell: (row) => percent(row.volatility, 1) },
            { label: metricLabel('month_win_rate'), numeric: true, className: 'wide-only', cell: (_, i) => percent(table[i]?.won, 0) },
            {
              label: '换手',
              title: '买入与卖出之和的一半 ÷ 权益，单位 倍',
              numeric: true,
              className: 'wide-only',
              cell: (row) => fixed(row.turnover, 1),
            },
          ]}
          rows={report.yearly}
          rowKey={(row) => row.period}
        >
          <tr className="total">
            <td>全期</td>
            <td className={`number ${tone(metrics.total_return)}`}>{wholePercent(metrics.total_return)}</td>
            <td className={`number ${tone(bench.total_return)}`}>{wholePercent(bench.total_return)}</td>
            <td className={`number ${tone(excess)}`}>{wholePercent(excess)}</td>
            <td className="number">{signedPercent(metrics.max_drawdown, 1)}</td>
            <td className="number wide-only">{percent(metrics.volatility, 1)}</td>
            <td className="number wide-only">{percent(metrics.month_win_rate, 0)}</td>
            <td className="number wide-only" title="全期的年均">
              {metrics.turnover_annual === null ? missing : `${fixed(metrics.turnover_annual, 1)}/年`}
            </td>
          </tr>
        </Table>
      </div>
      <dl className={styles.shortMetrics}>
        {facts.map(([name, value, look]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={look}>{value}</dd>
          </div>
        ))}
      </dl>
      {report.yearly.length > 1 && <div className="foot">只有一两年特别好，要问：那年市场怎么了。</div>}
    </Card>
  )
}

/** Tooltip of a month that is pointed at, with its top contributors once they are known. */
function monthWords(report: Parameters<typeof monthBest>[0] | null, year: string, month: number, value: number): string {
  const best = report ? monthBest(report, `${year}-${String(month).padStart(2, '0')}`) : []
  const names = best.map(({ name, share }) => `${name} ${signedPercent(share)}`)
  return [
    `${year} 年 ${month} 月 ${signedPercent(value)}`,
    ...(names.length > 0 ? [`贡献最多：${names.join('、')}（占初始资金）`] : []),
    '点击看月末持仓',
  ].join('\n')
}

const monthNames = Array.from({ length: 12 }, (_, i) => `${i + 1}月`)

/** Years × months; the tint says how much, the digits stay readable on it. */
export function MonthlyCard({ report, onDay }: { report: ReportCore; onDay: (date: string) => void }) {
  const [view, setView] = useState<'nav_return' | 'excess'>('nav_return')
  const table = monthTable(report.monthly, report.yearly, view)
  const tips = useMarkTips('看月末持仓')
  /** `2026-3`; contributions are asked for with the first month that is pointed at. */
  const [over, setOver] = useState<string | null>(null)
  const { whole } = useLedger(report, gainParts, over !== null)
  const hasBench = report.monthly.some((row) => row.excess !== null)
  return (
    <Card
      id="periods"
      className="column"
      title="月度收益"
      note="单位 %"
      tools={
        <>
          <span className="heat-scale">
            −4% 以下
            {['down-3', 'down-2', 'down-1', 'up-1', 'up-2', 'up-3'].map((step) => (
              <i key={step} className={`heat-${step}`} />
            ))}
            +4% 以上
          </span>
          {hasBench && (
            <Segmented
              label="月度口径"
              value={view}
              choices={[
                { value: 'nav_return', label: '绝对' },
                { value: 'excess', label: '超额' },
              ]}
              onChange={setView}
            />
          )}
        </>
      }
      foot={
        <>
          {monthsSentence(report, view === 'excess')}
          {table.some((row) => row.partial) && ' * 为不足一年。'}
        </>
      }
      bare
    >
      <div className="table-frame" {...tips.handlers}>
        {tips.bubble}
        <Table
          dense
          className="months"
          columns={[
            { label: '年' },
            ...monthNames.map((name) => ({ label: name, numeric: true })),
            { label: '全年', numeric: true, className: 'total' },
          ]}
        >
          {table.map((row) => (
            <tr key={row.year}>
              <td className="medium">
                {row.year}
                {row.partial && '*'}
              </td>
              {row.months.map(({ value, end }, i) => (
                <td key={monthNames[i]} className={`number ${value === null ? 'text-3' : heatOf(value)}`}>
                  {value === null || !end ? (
                    missing
                  ) : (
                    <button
                      type="button"
                      className="plain"
                      title={
                        over === `${row.year}-${i + 1}`
                          ? monthWords(whole, row.year, i + 1, value)
                          : `${row.year} 年 ${i + 1} 月 ${signedPercent(value)}，点击看月末持仓`
                      }
                      onPointerEnter={() => setOver(`${row.year}-${i + 1}`)}
                      onClick={() => onDay(end)}
                    >
                      {signed(value * 100, 1)}
                    </button>
                  )}
                </td>
              ))}
              <td className={`number total strong ${tone(row.total)}`}>{signedPercent(row.total, 1)}</td>
            </tr>
          ))}
        </Table>
      </div>
    </Card>
  )
}
