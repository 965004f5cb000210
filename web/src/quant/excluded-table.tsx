import type { ScreenResult } from '@convexa/contract/screen'
import { useMemo, useState } from 'react'
import { fixed, missing } from '../ui/format.ts'
import { type Column, DataGrid, type Sort, sortRows } from '../ui/grid/data-grid.tsx'

type Row = NonNullable<ScreenResult['excluded']>[number]

const columns: readonly Column<Row>[] = [
  {
    key: 'code',
    head: '代码',
    label: '代码',
    width: 100,
    pinned: 'left',
    cell: (row) => <span className="mono">{row.code}</span>,
    sortBy: (row) => row.code,
    firstSort: 'ascending',
  },
  { key: 'name', head: '名称', label: '名称', width: 120, pinned: 'left', cell: (row) => <span className="medium">{row.name}</span> },
  {
    key: 'rule',
    head: '第一条剔除它的规则',
    label: '规则',
    width: 280,
    grow: true,
    cell: (row) => row.rule,
    sortBy: (row) => row.rule_index,
    firstSort: 'ascending',
  },
  {
    key: 'value',
    head: '当日值',
    label: '当日值',
    width: 120,
    numeric: true,
    cell: (row) => (typeof row.value === 'number' ? fixed(row.value, 4) : (row.value ?? missing)),
  },
]

/** Why not on my list: each with the first rule that removed it. */
export function ExcludedTable({ rows, stale }: { rows: readonly Row[]; stale: boolean }) {
  const [sort, setSort] = useState<Sort | null>(null)
  const ordered = useMemo(() => {
    const by = sort && columns.find((column) => column.key === sort.key)?.sortBy
    return by ? sortRows(rows, by, sort.direction) : rows
  }, [rows, sort])
  const shown = rows.some(({ value }) => value !== null) ? columns : columns.slice(0, -1)
  return <DataGrid label="被剔除" columns={shown} rows={ordered} rowKey={(row) => row.code} sort={sort} onSort={setSort} stale={stale} />
}
