import type { ReactNode } from 'react'
import { machineText } from './sheet.ts'

/** A column as data, for the data table and the big grid alike. */
export interface Column<Row> {
  key: string
  /** The head in words, with its unit: `规模(亿)`. */
  label: string
  /** Where the head is more than its words. */
  head?: ReactNode
  title?: string | undefined
  /** Pixels; it never shrinks below. */
  width: number
  /** Takes its share of what is left. The places of pinned columns hold: with room to grow there is nothing to scroll. */
  grow?: boolean
  numeric?: boolean
  pinned?: 'left' | 'right' | undefined
  /** Makes its head a button; null sorts last. */
  sortBy?: (row: Row) => number | string | null
  /** The first click sorts this way. */
  firstSort?: 'ascending' | 'descending'
  cell: (row: Row) => ReactNode
  className?: (row: Row) => string | undefined
  /** The whole value behind a shortened one. */
  exact?: (row: Row) => string | undefined
  /** What a copy holds, where the cell is more than text. */
  text?: (row: Row) => string
}

/** What a spreadsheet gets of a cell: its text with a plain minus, nothing for what is missing. */
export function textOf<Row>(column: Column<Row>, row: Row): string {
  const shown = column.text ? column.text(row) : column.cell(row)
  return machineText(typeof shown === 'string' || typeof shown === 'number' ? String(shown) : String(column.sortBy?.(row) ?? ''))
}
