import type { Report } from '@convexa/contract/backtest'
import { useMemo } from 'react'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { count, percent, signedCount, signedPercent, tone } from '../../ui/format.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useSorted } from '../../ui/table/sort.ts'
import { neverBought, topShare } from './sentences.ts'

type Contribution = Report['contributions'][number]
const best = 8
const worst = 5

/** Who earned it and who lost it: shares of the starting capital, from zero to both sides. */
export function ContributionsCard({ report, onSecurity }: { report: Report; onSecurity: (code: string) => void }) {
  const sorted = useMemo(() => [...report.contributions].sort((a, b) => b.share - a.share || (a.code < b.code ? -1 : 1)), [report])
  const few = sorted.length <= best + worst
  const top = few ? sorted : sorted.slice(0, best)
  const bottom = few ? [] : sorted.slice(-worst)
  const between = few ? [] : sorted.slice(best, -worst)
  const rest = between.reduce((sum, one) => sum + one.share, 0)
  const lowest = Math.min(0, ...[...top, ...bottom].map((one) => one.share))
  const highest = Math.max(0, ...[...top, ...bottom].map((one) => one.share))
  const span = highest - lowest || 1
  const zero = (-lowest / span) * 100
  const share = topShare(report)
  const row = (one: Contribution) => (
    <li key={one.code}>
      <button
        type="button"
        className="plain"
        title={`${one.name} ${one.code}，持有 ${one.days} 日，成交 ${one.trades} 笔，点击看它的交易`}
        onClick={() => onSecurity(one.code)}
      >
        {one.name}
      </button>
      <span className="bar-track">
        <i
          className={one.share >= 0 ? 'up' : 'down'}
          style={{ left: `${one.share >= 0 ? zero : zero + (one.share / span) * 100}%`, width: `${(Math.abs(one.share) / span) * 100}%` }}
        />
        <u style={{ left: `${zero}%` }} />
      </span>
      <span className="number">{signedPercent(one.share)}</span>
    </li>
  )
  return (
    <ChartCard
      id="contributions"
      title="单券贡献"
      note={`占初始资金 %${report.data_mode === 'demo' ? ' · 演示数据' : ''}`}
      table={() => <ContributionTable rows={sorted} onSecurity={onSecurity} />}
      foot={
        neverBought(report)
          ? '全程没有买入任何证券。'
          : share === null
            ? '总收益不为正，集中度没有意义。'
            : `前 5 只贡献总收益的 ${percent(share, 0)}；全部 ${sorted.length} 只合计等于总收益。`
      }
    >
      <div className="body">
        <ul className="contribution-bars">
          {top.map(row)}
          {!few && (
            <li className="rest">
              其余 {between.length} 只合计 {signedPercent(rest, 1)}
            </li>
          )}
          {bottom.map(row)}
          {sorted.length === 0 && <li className="rest">没有成交过任何证券</li>}
        </ul>
      </div>
    </ChartCard>
  )
}

function ContributionTable({ rows, onSecurity }: { rows: readonly Contribution[]; onSecurity: (code: string) => void }) {
  const columns: Column<Contribution>[] = [
    {
      key: 'code',
      label: '代码',
      width: 92,
      sortBy: (row) => row.code,
      cell: (row) => <span className="mono">{row.code}</span>,
    },
    { key: 'name', label: '名称', width: 88, grow: true, cell: (row) => row.name },
    {
      key: 'share',
      label: '贡献',
      width: 76,
      numeric: true,
      sortBy: (row) => row.share,
      cell: (row) => <span className={tone(row.share)}>{signedPercent(row.share)}</span>,
    },
    {
      key: 'pnl',
      head: '盈亏(元)',
      label: '盈亏',
      width: 84,
      numeric: true,
      sortBy: (row) => row.pnl,
      cell: (row) => signedCount(row.pnl),
    },
    {
      key: 'days',
      head: '持有(日)',
      label: '持有天数',
      width: 76,
      numeric: true,
      sortBy: (row) => row.days,
      cell: (row) => count(row.days),
    },
  ]
  const sorted = useSorted(rows, columns, [{ key: 'share', direction: 'descending' }])
  return (
    <div className="chart-table">
      <DataGrid label="单券贡献" columns={columns} {...sorted} rowKey={(row) => row.code} onOpen={(row) => onSecurity(row.code)} />
    </div>
  )
}
