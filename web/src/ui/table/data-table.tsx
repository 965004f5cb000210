import { useRef, useState } from 'react'
import { usePhone } from '../../base/use-phone.ts'
import { Checkbox } from '../controls.tsx'
import { allToggled, shareOf, toggled } from '../grid/selection.ts'
import { pressOpener, RowOpener } from './row-opener.tsx'
import { nextSorts, sortWords } from './sort.ts'
import { TableCards } from './table-cards.tsx'
import type { DataTableProps, TableColumn } from './table-props.ts'
import { useOverflowing } from './use-overflowing.ts'
import './data-table.css'

/** A table of at most a hundred rows, as a table element. Longer ones are a data grid. */
export function DataTable<Row>(given: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sorts = [], selection, onSelect, menu, density = 'compact' } = given
  const [said, say] = useState('')
  const phone = usePhone()
  const frame = useRef<HTMLDivElement>(null)
  const scrolls = useOverflowing(frame)
  if (given.cards && phone && rows.length > 0 && !given.loading) return <TableCards {...given} />
  // Names of columns that nothing stands under would be cut off.
  if (given.cards && phone && !given.loading && given.instead) return <div className="table-none">{given.instead}</div>
  const keys = selection ? rows.map(rowKey) : []
  const width = columns.length + (selection ? 1 : 0) + (menu ? 1 : 0)
  const hasTotal = rows.length > 0 && columns.some(({ total }) => total !== undefined)
  const press = (column: TableColumn<Row>, adding: boolean) => {
    const next = nextSorts(column, sorts, adding)
    given.onSort?.(next)
    say(sortWords(columns, next))
  }
  return (
    <div
      ref={frame}
      className={given.stale ? 'table-frame stale' : 'table-frame'}
      style={given.height ? { maxHeight: given.height, overflowY: 'auto' } : undefined}
      {...(scrolls ? { role: 'group', tabIndex: 0, 'aria-label': `${label}，可滚动` } : {})}
    >
      <table
        className={['table data-table', density, given.height && 'sticky', given.className].filter(Boolean).join(' ')}
        aria-label={label}
        aria-busy={given.stale || given.loading ? true : undefined}
      >
        <thead>
          <tr>
            {selection && (
              <th className="tick">
                <Checkbox
                  checked={shareOf(selection, keys) === 'all'}
                  label="全选"
                  onChange={() => onSelect?.(allToggled(selection, keys))}
                />
              </th>
            )}
            {columns.map((column) => {
              const place = sorts.findIndex(({ key }) => key === column.key)
              const sort = sorts[place]
              const head = column.head ?? column.label
              const sortable = column.sortBy !== undefined && given.onSort !== undefined
              return (
                <th
                  key={column.key}
                  scope="col"
                  className={column.numeric ? 'number' : undefined}
                  title={column.title}
                  aria-sort={sortable ? (sort?.direction ?? 'none') : undefined}
                >
                  {sortable ? (
                    <button type="button" className="table-sort" onClick={(event) => press(column, event.shiftKey)}>
                      {head}
                      {sort && (
                        <i aria-hidden="true">
                          {sort.direction === 'descending' ? '↓' : '↑'}
                          {sorts.length > 1 && <sub>{place + 1}</sub>}
                        </i>
                      )}
                    </button>
                  ) : (
                    head
                  )}
                </th>
              )
            })}
            {menu && (
              <th>
                <span className="hidden-text">操作</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {given.loading
            ? Array.from({ length: given.loading }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: all alike
                <WaitingRow key={index} columns={columns} width={width} />
              ))
            : rows.map((row) => <DataRow key={rowKey(row)} row={row} table={given} />)}
          {!given.loading && rows.length === 0 && given.instead && (
            <tr className="table-instead">
              <td colSpan={width}>{given.instead}</td>
            </tr>
          )}
        </tbody>
        {hasTotal && !given.loading && (
          <tfoot>
            <tr className="total">
              {selection && <td />}
              {columns.map(({ key, numeric, total }) => (
                <td key={key} className={numeric ? 'number' : undefined}>
                  {total}
                </td>
              ))}
              {menu && <td />}
            </tr>
          </tfoot>
        )}
      </table>
      {given.onSort && (
        <p className="hidden-text" role="status">
          {said}
        </p>
      )}
    </div>
  )
}

function DataRow<Row>({ row, table }: { row: Row; table: DataTableProps<Row> }) {
  const { columns, rowKey, rowClass, onOpen, hrefOf, current, menu, selection, onSelect, nameOf } = table
  const key = rowKey(row)
  const ticked = selection?.has(key) ?? false
  const isCurrent = current === key
  const opens = onOpen !== undefined || hrefOf !== undefined
  return (
    <tr
      className={[rowClass?.(row), isCurrent && 'current', ticked && 'ticked', opens && 'opens'].filter(Boolean).join(' ') || undefined}
      aria-current={isCurrent || undefined}
      onClick={opens ? pressOpener : undefined}
    >
      {selection && (
        <td className="tick">
          <Checkbox checked={ticked} label={`选中 ${nameOf?.(row) ?? key}`} onChange={() => onSelect?.(toggled(selection, key))} />
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.key}
          className={[column.numeric && 'number', column.className?.(row)].filter(Boolean).join(' ') || undefined}
          title={column.exact?.(row)}
        >
          {index === 0 && opens ? (
            <RowOpener row={row} table={table}>
              {column.cell(row)}
            </RowOpener>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {menu && <td className="table-menu">{menu(row)}</td>}
    </tr>
  )
}

const WaitingRow = <Row,>({ columns, width }: { columns: readonly TableColumn<Row>[]; width: number }) => (
  <tr>
    {width > columns.length && <td colSpan={width - columns.length} />}
    {columns.map((column) => (
      <td key={column.key} className={column.numeric ? 'number' : undefined}>
        <span className="skeleton" style={{ width: column.width ?? 48 }} />
      </td>
    ))}
  </tr>
)
