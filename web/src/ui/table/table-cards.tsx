import { RowOpener } from './row-opener.tsx'
import type { DataTableProps } from './table-props.ts'

/** The rows of a table on a phone: what a row is and its leading numbers above, the other columns below in as many lines as they need, then sentences. */
export function TableCards<Row>(table: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, rowClass, onOpen, hrefOf, menu, stale } = table
  const title = columns.find(({ card }) => card === 'title') ?? columns[0]
  const leads = columns.filter(({ card }) => card === 'lead')
  const lines = columns.filter(({ card }) => card === 'line')
  const details = columns.filter((column) => column !== title && column.card === undefined)
  return (
    <ul className={stale ? 'table-cards stale' : 'table-cards'} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={rowClass?.(row)}>
          <div className="table-card-title">
            {onOpen || hrefOf ? (
              <RowOpener row={row} table={table}>
                {title?.cell(row)}
              </RowOpener>
            ) : (
              <span>{title?.cell(row)}</span>
            )}
            <span className="grow" />
            {leads.map((column) => (
              <span key={column.key} className={column.className?.(row)} title={column.label}>
                {(column.onCard ?? column.cell)(row)}
              </span>
            ))}
            {menu?.(row)}
          </div>
          <dl className="table-card-details">
            {details.map((column) => (
              <div key={column.key}>
                <dt>{column.head ?? column.label}</dt>
                <dd className={column.className?.(row)}>{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {lines.map((column) => (
            <div key={column.key} className="table-card-line">
              {column.cell(row)}
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}
