import { useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { DataGrid } from '../src/ui/grid/data-grid.tsx'
import { nothing } from '../src/ui/grid/selection.ts'
import type { Column } from '../src/ui/table/column.ts'
import { orderRows, type Sorts } from '../src/ui/table/sort.ts'
import { valueColumn } from '../src/ui/table/value-column.ts'
import '../src/tokens.css'
import '../src/ui/base.css'
import '../src/ui/layout.css'
import '../src/ui/frames.css'
import '../src/ui/marks.css'
import '../src/ui/tables.css'

/** The big grid at its size: 5,500 rows × 12 columns. `window.bench` is the hand of web/scripts/bench-grid.mjs. */
interface Row {
  code: string
  name: string
  values: number[]
}
const size = 5_500
const columns: readonly Column<Row>[] = [
  {
    key: 'code',
    label: '代码',
    width: 90,
    pinned: 'left',
    sortBy: (row) => row.code,
    cell: (row) => <span className="mono">{row.code}</span>,
  },
  { key: 'name', label: '名称', width: 100, pinned: 'left', sortBy: (row) => row.name, cell: (row) => row.name },
  ...Array.from({ length: 10 }, (_, i): Column<Row> => {
    const value = (row: Row) => row.values[i]
    return {
      ...valueColumn<Row>('return', `v${i}`, `因子 ${i + 1}`, 96, value),
      className: (row) => `heat heat-${(value(row) ?? 0) > 0 ? 'up' : 'down'}-2`,
    }
  }),
]
let seed = 1
const next = () => (seed = (seed * 48271) % 2147483647) / 2147483647
const make = (): Row[] =>
  Array.from({ length: 4_000 + Math.floor(next() * (size - 4_000)) }, (_, i) => ({
    code: `${900001 + Math.floor(next() * 9999) * 10 + (i % 10)}-${i}`,
    name: `证券${i}`,
    values: Array.from({ length: 10 }, () => next() - 0.5),
  }))

// Made beforehand: what is measured is the grid, not the making.
const sets = Array.from({ length: 8 }, make)
let turn = 0
const keyOf = (row: Row) => row.code

function Bench() {
  const [rows, setRows] = useState(sets[0] ?? [])
  const [sorts, setSorts] = useState<Sorts>([{ key: 'v0', direction: 'descending' }])
  const ordered = useMemo(() => orderRows(rows, columns, sorts), [rows, sorts])
  const replace = useCallback(() => flushSync(() => setRows(sets[++turn % sets.length] ?? [])), [])
  Object.assign(window, { bench: { replace, sort: (key: string) => flushSync(() => setSorts([{ key, direction: 'ascending' }])) } })
  return (
    <div style={{ display: 'flex', height: 800 }}>
      <DataGrid
        label="证券"
        columns={columns}
        rows={ordered}
        rowKey={keyOf}
        sorts={sorts}
        onSort={setSorts}
        selection={nothing}
        onSelect={() => {}}
      />
    </div>
  )
}
const root = document.getElementById('root')
if (root) createRoot(root).render(<Bench />)
