import type { ScreenResult } from '@convexa/contract/screen'
import { fixed, missing } from '../../ui/format.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import type { Column } from '../../ui/table/column.ts'
import { useSorted } from '../../ui/table/sort.ts'

type Row = NonNullable<ScreenResult['excluded']>[number]

const columns: readonly Column<Row>[] = [
  {
    key: 'code',
    label: '代码',
    width: 100,
    pinned: 'left',
    cell: (row) => <span className="mono">{row.code}</span>,
    sortBy: (row) => row.code,
    firstSort: 'ascending',
  },
  { key: 'name', label: '名称', width: 120, pinned: 'left', cell: (row) => <span className="medium">{row.name}</span> },
  {
    key: 'rule',
    label: '第一条剔除它的规则',
    width: 280,
    grow: true,
    cell: (row) => row.rule,
    sortBy: (row) => row.rule_index,
    firstSort: 'ascending',
  },
  {
    key: 'value',
    label: '当日值',
    width: 120,
    numeric: true,
    cell: (row) => (typeof row.value === 'number' ? fixed(row.value, 4) : (row.value ?? missing)),
  },
]

/** Why not on my list: each with the first rule that removed it; opened, with all of them. */
export function ExcludedTable({ rows, stale, onOpen }: { rows: readonly Row[]; stale: boolean; onOpen?: (row: Row) => void }) {
  const sorted = useSorted(rows, columns)
  const shown = rows.some(({ value }) => value !== null) ? columns : columns.slice(0, -1)
  return <DataGrid label="被剔除" columns={shown} {...sorted} rowKey={(row) => row.code} stale={stale} {...(onOpen ? { onOpen } : {})} />
}
