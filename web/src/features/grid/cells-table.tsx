import { demoLabel } from '@convexa/contract/enums/data-mode'
import { useMemo, useState } from 'react'
import { fixed, percent } from '../../base/format.ts'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Row } from '../../ui/layout.tsx'
import type { Column } from '../../ui/table/column.ts'
import { csv, type SheetCell } from '../../ui/table/sheet.ts'
import { orderRows, type Sorts } from '../../ui/table/sort.ts'
import { valueWords } from './axis-choices.ts'
import { cellMetrics, numberOf } from './cell-metrics.ts'
import { besideOf, type Cell, type GridModel, placeKey } from './grid-model.ts'
import type { GridQuestion } from './grid-request.ts'
import styles from './grid-view.module.css'

/** Every cell as a row, sortable; Enter opens its backtest. */
export function CellsTable({ model, onOpen }: { model: GridModel; onOpen: (key: string) => void }) {
  const [sorts, setSorts] = useState<Sorts>([])
  const columns = useMemo(() => columnsOf(model), [model])
  const cells = useMemo(() => [...model.cells.values()], [model])
  const rows = useMemo(() => [...orderRows(cells, columns, sorts)], [cells, columns, sorts])
  return (
    <Row align="stretch" className={styles.table}>
      <DataGrid
        label="网格各组参数"
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowClass={(cell) => (model.plateau.size === 0 || model.plateau.has(keyOf(cell)) ? undefined : 'dim')}
        sorts={sorts}
        onSort={setSorts}
        onOpen={(cell) => onOpen(keyOf(cell))}
        current={model.current}
      />
    </Row>
  )
}

const keyOf = (cell: Cell) => placeKey(cell.index)

function columnsOf(model: GridModel): Column<Cell>[] {
  const axes = model.axes.map((axis, a): Column<Cell> => {
    const value = ({ index }: Cell) => axis.values[index[a] ?? 0] ?? null
    return {
      key: `axis${a}`,
      label: axis.label,
      width: 112,
      numeric: true,
      pinned: 'left',
      sortBy: value,
      firstSort: 'ascending',
      cell: (cell) => <b className="medium">{valueWords(axis, value(cell) ?? Number.NaN)}</b>,
      text: (cell) => String(value(cell) ?? ''),
    }
  })
  const outside = model.hasOutside
  const metrics = cellMetrics.flatMap(({ key, label, write }): Column<Cell>[] => [
    { key, label, width: 88, grow: true, numeric: true, sortBy: (cell) => cell.metrics[key], cell: (cell) => write(cell.metrics[key]) },
    ...(outside
      ? [
          {
            key: `oos.${key}`,
            label: `${label}(外)`,
            width: 96,
            grow: true,
            numeric: true,
            sortBy: (cell: Cell) => cell.oos_metrics?.[key] ?? null,
            cell: (cell: Cell) => <span className="text-2">{write(cell.oos_metrics?.[key])}</span>,
            text: (cell: Cell) => write(cell.oos_metrics?.[key]),
          },
        ]
      : []),
  ])
  const spread = (cell: Cell) => model.spread.get(keyOf(cell)) ?? null
  return [
    ...axes,
    ...metrics,
    {
      key: 'spread',
      label: '与邻格的差别',
      title: '自身与相邻格夏普的标准差 ÷ 自身夏普',
      width: 88,
      grow: true,
      numeric: true,
      sortBy: spread,
      cell: (cell) => percent(spread(cell), 1),
    },
    {
      key: 'plateau',
      label: '平台区',
      width: 72,
      sortBy: (cell) => (model.plateau.has(keyOf(cell)) ? 1 : 0),
      cell: (cell) => (model.plateau.has(keyOf(cell)) ? '是' : ''),
    },
  ]
}

/** The same as a file: what it is, of which data, then a line per cell. */
export function cellsSheet(model: GridModel, { name, axes, body }: Omit<GridQuestion, 'own'>, demo: boolean): string {
  const outside = model.hasOutside
  const lead: SheetCell[] = [
    `${name} 参数网格`,
    `${body.settings.start_date} ~ ${body.settings.end_date}`,
    `版本 ${model.result.data_version}`,
    ...(demo ? [demoLabel] : []),
  ]
  const head = [
    ...axes.map(({ label, unit }) => (unit ? `${label}(${unit})` : label)),
    ...cellMetrics.flatMap(({ label }) => (outside ? [`${label}(样本内)`, `${label}(样本外)`] : [label])),
    '邻格夏普均值',
    '邻格夏普最低',
    '与邻格的差别',
    '平台区',
  ]
  const besides = (cell: Cell) => {
    const beside = besideOf(model, cell.index)
    return [beside?.mean, beside?.least]
  }
  const lines = [...model.cells.values()].map((cell): SheetCell[] => [
    ...axes.map(({ values }, a) => values[cell.index[a] ?? 0]),
    ...cellMetrics.flatMap(({ key }) =>
      [cell.metrics[key], ...(outside ? [cell.oos_metrics?.[key]] : [])].map((value) => numberOf(key, value)),
    ),
    ...besides(cell),
    model.spread.get(keyOf(cell)),
    model.plateau.has(keyOf(cell)) ? '是' : '',
  ])
  return csv([
    lead,
    head,
    ...lines.map((line) => line.map((value) => (typeof value === 'number' ? Number(fixed(value, 6).replace('−', '-')) : value))),
  ])
}
