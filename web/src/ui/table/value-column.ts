import type { Given } from '../../base/format.ts'
import { lookOf, type ValueKind, values } from '../cell.tsx'
import type { Column } from './column.ts'

type Look = Partial<Pick<Column<never>, 'head' | 'title' | 'grow' | 'pinned' | 'firstSort'>>

/** A column of numbers of one kind: right-aligned, sortable, coloured by its kind's rule, the exact value behind each. */
export function valueColumn<Row>(
  kind: ValueKind,
  key: string,
  label: string,
  width: number,
  value: (row: Row) => Given,
  { decimals, ...look }: Look & { decimals?: number } = {},
): Column<Row> {
  const { text, exact } = values[kind] as (typeof values)['number']
  return {
    key,
    label,
    width,
    numeric: true,
    sortBy: (row) => value(row) ?? null,
    cell: (row) => text(value(row), decimals),
    exact: (row) => exact(value(row)),
    className: (row) => lookOf(kind, value(row), decimals),
    ...look,
  }
}
