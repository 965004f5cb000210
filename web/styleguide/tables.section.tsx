import { useMemo, useState } from 'react'
import { Button } from '../src/ui/button.tsx'
import { Day, Value } from '../src/ui/cell.tsx'
import { Spark } from '../src/ui/chart/spark.tsx'
import { DataStamp } from '../src/ui/data-stamp.tsx'
import { arrange } from '../src/ui/grid/column-settings.ts'
import { useColumnSettings } from '../src/ui/grid/column-store.ts'
import { DataGrid } from '../src/ui/grid/data-grid.tsx'
import { nothing, type Selection } from '../src/ui/grid/selection.ts'
import { Icon } from '../src/ui/icon.tsx'
import { Menu } from '../src/ui/menu.tsx'
import { stampOf } from '../src/ui/stamp.ts'
import { Empty, ErrorBlock } from '../src/ui/states.tsx'
import type { Column } from '../src/ui/table/column.ts'
import { DataTable } from '../src/ui/table/data-table.tsx'
import { FilterChips } from '../src/ui/table/filter-chips.tsx'
import { SelectionBar } from '../src/ui/table/selection-bar.tsx'
import { useSorted } from '../src/ui/table/sort.ts'
import { valueColumn } from '../src/ui/table/value-column.ts'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [
  { key: 'cells', title: '数字单元', Component: Cells },
  { key: 'stamps', title: '数据时间', Component: Stamps },
  { key: 'data-table', title: '表格（至多 100 行）', Component: Tables },
  { key: 'data-table-states', title: '表格的状态', Component: TableStates },
  { key: 'data-grid', title: '大表', Component: Grid },
  { key: 'data-grid-states', title: '大表的状态', Component: GridStates },
]

const samples = [0.13341, -0.18561, 0.00001, 0, null, 12.5] as const
type Sampled = (typeof samples)[number]
const cells = [
  valueColumn<Sampled>('return', 'return', '收益', 72, (value) => value),
  valueColumn<Sampled>('percent', 'percent', '百分比', 72, (value) => value),
  valueColumn<Sampled>('price', 'bond', '价格(转债)', 80, (value) => value && 100 + value * 20),
  valueColumn<Sampled>('price', 'stock', '价格(股票)', 80, (value) => value && 100 + value * 20, { decimals: 2 }),
  valueColumn<Sampled>('money', 'money', '金额', 96, (value) => value && value * 1e8),
  valueColumn<Sampled>('count', 'count', '个数', 72, (value) => value && value * 10_000),
]
function Cells() {
  return (
    <div className="card">
      <DataTable label="数字单元" columns={cells} rows={samples} rowKey={String} />
    </div>
  )
}

const close = { time: '2026-11-20T14:32:05+08:00', date: '2026-11-20' }
const at = Date.parse('2026-11-20T14:32:20+08:00')
const since = (now: number) => ({ open: true, moved: (from: number) => now - from })
const stamps = [
  stampOf({ source: 'live', ...close, realtime: true }, since(at)),
  stampOf({ source: 'live', ...close, realtime: true }, since(at + 600_000)),
  stampOf({ source: 'delayed', ...close, realtime: true }, since(at)),
  stampOf({ source: 'close', ...close, realtime: false }, since(at)),
]
const dots = { ok: 'dot', warn: 'dot warn', quiet: 'dot quiet' } as const
function Stamps() {
  return (
    <div className="line" style={{ flexWrap: 'wrap', gap: 16 }}>
      {stamps.map(({ text, look, warning }) => (
        <span key={`${text}${look}`} className={warning ? 'chip stamp standing' : 'chip stamp'} title={warning ?? undefined}>
          <i className={dots[look]} aria-hidden="true" />
          {text}
        </span>
      ))}
      <DataStamp source="demo" {...close} realtime={false} />
    </div>
  )
}

interface Made {
  code: string
  name: string
  price: number
  change: number
  premium: number
  size: number
  days: number
  since: string
  shape: number[]
}

/** Numbers from a fixed seed: the same picture every time. */
function made(count: number): Made[] {
  let seed = 7
  const next = () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
  return Array.from({ length: count }, (_, i) => {
    const shape = Array.from({ length: 24 }, () => next() - 0.45)
    return {
      code: `${900001 + i}.DM`,
      name: `演示转债 ${i + 1}`,
      price: 95 + next() * 40,
      change: (next() - 0.5) * 0.06,
      premium: next() * 0.4,
      size: 1 + next() * 30,
      days: Math.floor(next() * 200),
      since: '2026-11-20',
      shape: shape.map((_, k) => shape.slice(0, k + 1).reduce((sum, one) => sum + one, 0)),
    }
  })
}

const few = made(6)
const smallColumns = [
  {
    key: 'name',
    label: '名称',
    card: 'title',
    sortBy: (row: Made) => row.name,
    firstSort: 'ascending',
    cell: (row: Made) => row.name,
    total: '平均',
  },
  {
    ...valueColumn<Made>('return', 'change', '今日', 72, (row) => row.change),
    card: 'lead',
    total: <Value kind="return" value={0.0042} />,
  },
  { ...valueColumn<Made>('price', 'price', '现价(元)', 80, (row) => row.price, { decimals: 3 }), card: 'lead', total: '112.480' },
  valueColumn<Made>('percent', 'premium', '溢价率', 72, (row) => row.premium, { decimals: 1 }),
  valueColumn<Made>('number', 'size', '规模(亿)', 72, (row) => row.size),
  valueColumn<Made>('count', 'days', '持有(日)', 72, (row) => row.days),
  { key: 'shape', label: '走势', numeric: true, cell: (row: Made) => <Spark values={row.shape} tone="brand" /> },
  { key: 'since', label: '入选日', cell: (row: Made) => <Day date={row.since} /> },
] as const

function Tables() {
  const sorted = useSorted(few, smallColumns)
  const [ticked, setTicked] = useState<Selection>(new Set(['900002.DM']))
  const [open, setOpen] = useState<string | null>('900004.DM')
  return (
    <div className="card">
      {ticked.size > 0 && (
        <SelectionBar count={ticked.size} onClear={() => setTicked(nothing)}>
          <Button look={['small']}>对比</Button>
        </SelectionBar>
      )}
      <FilterChips chips={[{ key: 'a', label: '收盘价 大于 150 元', remove() {} }]} onClear={() => {}} />
      <DataTable
        label="转债"
        columns={smallColumns}
        {...sorted}
        rowKey={(row) => row.code}
        nameOf={(row) => row.name}
        selection={ticked}
        onSelect={setTicked}
        onOpen={(row) => setOpen(row.code)}
        current={open}
        cards
        menu={() => (
          <Menu
            align="right"
            button={<Icon name="more" />}
            label="更多"
            className="button ghost small square"
            choices={[{ label: '复制代码', run: () => {} }]}
          />
        )}
      />
    </div>
  )
}

const stack = { display: 'grid', gap: 12 } as const
const state = { label: '转债', columns: smallColumns, rowKey: (row: Made) => row.code } as const
function TableStates() {
  return (
    <div style={stack}>
      <div className="card">
        <DataTable {...state} rows={[]} loading={3} density="standard" />
      </div>
      <div className="card">
        <DataTable {...state} rows={[]} instead={<Empty title="还没有策略">从模板改起最快。</Empty>} />
      </div>
      <div className="card">
        <DataTable {...state} rows={[]} instead={<ErrorBlock error={new Error()} still="已存的策略没有丢失。" onRetry={() => {}} />} />
      </div>
      <div className="card">
        <DataTable {...state} rows={few.slice(0, 2)} stale />
      </div>
    </div>
  )
}

const gridColumns: readonly (Column<Made> & { always?: boolean; group?: string })[] = [
  {
    key: 'code',
    label: '代码',
    width: 100,
    pinned: 'left',
    always: true,
    sortBy: (row) => row.code,
    firstSort: 'ascending',
    cell: (row) => row.code,
  },
  { key: 'name', label: '名称', width: 110, pinned: 'left', always: true, cell: (row) => row.name },
  valueColumn('price', 'price', '现价(元)', 120, (row) => row.price, { decimals: 3 }),
  {
    ...valueColumn<Made>('return', 'change', '涨跌幅', 120, (row) => row.change),
    className: (row) =>
      `heat heat-${row.change > 0 ? 'up' : 'down'}-${Math.abs(row.change) < 0.01 ? 1 : Math.abs(row.change) < 0.02 ? 2 : 3}`,
  },
  valueColumn('percent', 'premium', '溢价率', 140, (row) => row.premium, { decimals: 1 }),
  valueColumn('number', 'size', '规模(亿)', 140, (row) => row.size),
  valueColumn('count', 'days', '持有(日)', 140, (row) => row.days),
  { key: 'shape', label: '走势', width: 96, numeric: true, cell: (row) => <Spark values={row.shape} tone="brand" /> },
  { key: 'since', label: '变化', width: 120, pinned: 'right', cell: () => <span className="text-2">持有 9 日</span> },
]

function Grid() {
  const rows = useMemo(() => made(5_500), [])
  const [settings, change] = useColumnSettings('styleguide')
  const columns = useMemo(() => arrange(gridColumns, [], settings), [settings])
  const sorted = useSorted(rows, columns)
  const [ticked, setTicked] = useState<Selection>(nothing)
  const [open, setOpen] = useState<string | null>(null)
  return (
    <div className="card" style={{ display: 'flex', flexDirection: 'column', height: 360, overflow: 'hidden' }}>
      <DataGrid
        label="5,500 行"
        columns={columns}
        {...sorted}
        rowKey={codeOf}
        selection={ticked}
        onSelect={setTicked}
        onOpen={(row) => setOpen(row.code)}
        current={open}
        lock={{ on: settings.locked, change: (locked) => change({ ...settings, locked }) }}
        actions={(row) => [
          { label: `打开 ${row.name}`, icon: 'eye', run: () => setOpen(row.code) },
          { label: `编辑 ${row.name}`, icon: 'pencil', run: () => {} },
        ]}
      />
      {ticked.size > 0 && <SelectionBar count={ticked.size} noun="只" onClear={() => setTicked(nothing)} />}
    </div>
  )
}
const codeOf = (row: Made) => row.code

function GridStates() {
  const given = { label: '转债', columns: gridColumns, rowKey: codeOf, sorts: [], onSort() {} } as const
  const frame = { display: 'flex', height: 220, overflow: 'hidden' } as const
  return (
    <div style={stack}>
      <div className="card" style={frame}>
        <DataGrid {...given} rows={[]} loading />
      </div>
      <div className="card" style={frame}>
        <DataGrid {...given} rows={[]} instead={<Empty title="没有符合条件的证券" />} />
      </div>
      <div className="card" style={frame}>
        <DataGrid
          {...given}
          rows={[few[0] as Made, { id: 'reserve', separator: <b className="medium">候补</b> }, ...few.slice(1)]}
          rowClass={(row) => (row === few[0] ? undefined : 'dim')}
          stale
        />
      </div>
    </div>
  )
}
