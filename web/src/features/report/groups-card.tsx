import type { ReportCore } from '@convexa/contract/report'
import { useState } from 'react'
import { percent, signedPercent, tone } from '../../base/format.ts'
import { ChartCard } from '../../ui/chart/chart-card.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { Table } from '../../ui/table/table.tsx'
import { ShareBars } from './contribution-bars.tsx'
import { asPercent, captionOf, csvOf, fileNameOf } from './files.ts'

const most = 20

/** The same gains by what the securities were: industry, price, premium, rating. */
export function GroupsCard({ report }: { report: ReportCore }) {
  const dimensions = [...new Map(report.by_group.map(({ dimension, label }) => [dimension, label]))]
  const [wanted, setWanted] = useState('')
  const chosen = dimensions.find(([key]) => key === wanted) ?? dimensions[0]
  if (!chosen) return null
  const [dimension, label] = chosen
  const rows = report.by_group.filter((row) => row.dimension === dimension)
  const total = rows.reduce((sum, row) => sum + row.share, 0)
  const best = rows.reduce<(typeof rows)[number] | null>((top, row) => (top && top.share >= row.share ? top : row), null)
  return (
    <ChartCard
      title="分组贡献"
      note={`按前一日收盘时的${label}归组`}
      tools={
        <Segmented
          label="归组方式"
          value={dimension}
          choices={dimensions.map(([value, name]) => ({ value, label: name.replace(/（.*）$/, '') }))}
          onChange={setWanted}
        />
      }
      fileName={fileNameOf(report, '分组贡献')}
      pictured
      caption={captionOf(report, '分组贡献')}
      csv={() =>
        csvOf(
          report,
          ['方式', '组', '贡献(%)'],
          report.by_group.map((row) => [row.label, row.key, asPercent(row.share)]),
        )
      }
      table={() => (
        <div className="table-frame">
          <Table
            dense
            columns={[
              { label: label, cell: (row) => row.key },
              { label: '贡献', numeric: true, look: (row) => tone(row.share), cell: (row) => signedPercent(row.share) },
              { label: '占总收益', numeric: true, cell: (row) => (total > 0 ? percent(row.share / total, 1) : '—') },
            ]}
            rows={rows}
            rowKey={(row) => row.key}
          />
        </div>
      )}
      foot={
        best && total > 0 && best.share > 0
          ? `「${best.key}」贡献总收益的 ${percent(best.share / total, 0)}；各组合计 ${signedPercent(total)}，等于总收益。`
          : `各组合计 ${signedPercent(total)}，等于总收益。`
      }
    >
      <div className="body">
        <ShareBars bars={rows.slice(0, most).map(({ key, share }) => ({ key, name: key, share }))} empty="没有分组" />
        {rows.length > most && <p className="note">另有 {rows.length - most} 组见表格。</p>}
      </div>
    </ChartCard>
  )
}
