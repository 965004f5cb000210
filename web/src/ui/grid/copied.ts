import { type Column, textOf } from '../table/column.ts'
import { type GridRow, isSeparator } from './grid-rows.ts'
import { type At, type Range, rangeOf } from './move.ts'
import type { Selection } from './selection.ts'

/** What Ctrl+C takes: the drawn range, else the ticked rows with their heads, else the cell with the focus. */
export function copied<Row>(
  columns: readonly Column<Row>[],
  rows: readonly GridRow<Row>[],
  range: Range | null,
  active: At,
  selection: Selection | undefined,
  rowKey: (row: Row) => string,
): { lines: string[][]; words: string } {
  const plain = (from: number, to: number) => rows.slice(from - 1, to).filter((row) => !isSeparator(row)) as Row[]
  if (!range && selection && selection.size > 0) {
    const ticked = plain(1, rows.length).filter((row) => selection.has(rowKey(row)))
    const lines = ticked.map((row) => columns.map((column) => textOf(column, row)))
    return { lines: [columns.map((column) => column.label), ...lines], words: `已复制 ${ticked.length} 行` }
  }
  const { top, bottom, left, right } = range ?? rangeOf(active, active)
  const lines = plain(top, bottom).map((row) => columns.slice(left, right + 1).map((column) => textOf(column, row)))
  return { lines, words: range ? `已复制 ${lines.length} 行 ${right - left + 1} 列` : '已复制' }
}
