import type { ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import { fixed, signedPercent } from '../../base/format.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useSorted } from '../../ui/table/sort.ts'
import { relative } from './series.ts'

interface NavRow {
  date: string
  nav: number | null
  bench: number | null
  excess: number | null
  drawdown: number | null
  holds: number | null
}

/** Every day of the report. */
export function NavTable({ report, benchName, onDay }: { report: ReportCore; benchName: string; onDay: (date: string) => void }) {
  const { curves } = report
  const rows = useMemo(() => {
    const ratio = relative(curves.nav, curves.bench)
    return curves.dates.map(
      (date, i): NavRow => ({
        date,
        nav: curves.nav[i] ?? null,
        bench: curves.bench[i] ?? null,
        excess: ratio[i] ?? null,
        drawdown: curves.drawdown[i] ?? null,
        holds: curves.hold_count[i] ?? null,
      }),
    )
  }, [curves])
  const columns: Column<NavRow>[] = [
    { key: 'date', label: '日期', width: 120, grow: true, sortBy: (row) => row.date, cell: (row) => row.date },
    {
      key: 'nav',
      label: '策略净值',
      width: 110,
      grow: true,
      numeric: true,
      sortBy: (row) => row.nav,
      cell: (row) => fixed(row.nav, 4),
    },
    {
      key: 'bench',
      head: benchName,
      label: benchName,
      width: 110,
      grow: true,
      numeric: true,
      sortBy: (row) => row.bench,
      cell: (row) => fixed(row.bench, 4),
    },
    {
      key: 'excess',
      label: '策略÷基准',
      width: 110,
      grow: true,
      numeric: true,
      sortBy: (row) => row.excess,
      cell: (row) => fixed(row.excess, 4),
    },
    {
      key: 'drawdown',
      label: '回撤',
      width: 100,
      grow: true,
      numeric: true,
      sortBy: (row) => row.drawdown,
      cell: (row) => signedPercent(row.drawdown),
    },
    {
      key: 'holds',
      head: '持仓(只)',
      label: '持仓',
      width: 90,
      grow: true,
      numeric: true,
      sortBy: (row) => row.holds,
      cell: (row) => fixed(row.holds, 0),
    },
  ]
  const sorted = useSorted(rows, columns, [{ key: 'date', direction: 'descending' }])
  return (
    <div className="chart-table">
      <DataGrid label="每日净值" columns={columns} {...sorted} rowKey={(row) => row.date} onOpen={(row) => onDay(row.date)} />
    </div>
  )
}
