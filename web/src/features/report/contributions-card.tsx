import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import { count, percent, signedCount, signedPercent, tone } from '../../base/format.ts'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useSorted } from '../../ui/table/sort.ts'
import { type ShareBar, ShareBars } from './contribution-bars.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from './files.ts'
import { neverBought, topShare } from './sentences.ts'

type Contribution = Report['contributions'][number]
/** Most bars of each side; all securities where there are no more than both sides hold. */
const most = 15

/** Contribution of each security, gains and losses, as a share of the starting capital. */
export function ContributionsCard({ report, onSecurity }: { report: ReportCore; onSecurity: (code: string) => void }) {
  const sorted = useMemo(() => [...report.contributions].sort((a, b) => b.share - a.share || (a.code < b.code ? -1 : 1)), [report])
  const few = sorted.length <= most * 2
  const top = few ? sorted : sorted.slice(0, most)
  const bottom = few ? [] : sorted.slice(-most)
  const between = few ? [] : sorted.slice(most, -most)
  const share = topShare(report)
  const barOf = (one: Contribution): ShareBar => ({
    key: one.code,
    name: one.name,
    share: one.share,
    title: `${one.name} ${one.code}，持有 ${one.days} 日，成交 ${one.trades} 笔，点击看它的交易`,
  })
  return (
    <ChartCard
      title="单券贡献"
      note={`占初始资金 %${isSynthetic(report.data_mode) ? ' · 演示数据' : ''}`}
      fileName={fileNameOf(report, '贡献')}
      pictured
      caption={captionOf(report, '单券贡献')}
      csv={() =>
        csvOf(
          report,
          ['代码', '名称', '贡献(%)', '盈亏(元)', '持有天数(日)', '成交(笔)', '行业', '评级'],
          sorted.map((one) => [one.code, one.name, asPercent(one.share), one.pnl, one.days, one.trades, one.industry, one.rating]),
        )
      }
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
        <ShareBars
          bars={[...top.map(barOf), ...(few ? [] : [null]), ...bottom.map(barOf)]}
          between={`其余 ${between.length} 只合计 ${signedPercent(
            between.reduce((sum, one) => sum + one.share, 0),
            1,
          )}`}
          empty="没有成交过任何证券"
          onPick={onSecurity}
        />
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
