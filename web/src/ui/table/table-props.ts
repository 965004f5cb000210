import type { ReactNode } from 'react'
import type { Selection } from '../grid/selection.ts'
import type { Column } from './column.ts'
import type { Sorts } from './sort.ts'

/** A column of a small table: its width is only what it has while loading. */
export interface TableColumn<Row> extends Omit<Column<Row>, 'width' | 'grow' | 'pinned'> {
  width?: number
  /** Its cell in the row of totals. */
  total?: ReactNode
  /** Where it stands on a phone's card, `line` in a line of its own; a column that says nothing is among the details. */
  card?: 'title' | 'lead' | 'line' | 'none'
  /** What stands there in place of the cell. */
  onCard?: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
  /** In the order shown. */
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowClass?: (row: Row) => string | undefined
  /** With `onSort`, heads of columns with `sortBy` are buttons. */
  sorts?: Sorts
  onSort?: (sorts: Sorts) => void
  /** The first column's content opens the row; so does a click anywhere in it. */
  onOpen?: (row: Row) => void
  /** In the place of `onOpen` where a row has a page of its own: its address, so that the browser can open it in another tab. */
  hrefOf?: (row: Row) => string
  current?: string | null
  /** At the end of each row. */
  menu?: (row: Row) => ReactNode
  selection?: Selection
  onSelect?: (selection: Selection) => void
  /** Name of a row, for the label of its checkbox. */
  nameOf?: (row: Row) => string
  /** As many rows of the real widths as are on their way. */
  loading?: number
  /** In the place of the rows: why there are none. */
  instead?: ReactNode
  stale?: boolean
  density?: 'compact' | 'standard'
  /** The head stays in sight within this height. */
  height?: number
  /** On a phone each row is a card of two lines. */
  cards?: boolean
  className?: string
}
