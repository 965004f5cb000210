import type { ComponentProps, ReactNode } from 'react'

/** A column as data; of tables with rows of their own only the head is. */
export interface SmallColumn<Row> {
  /** The head in words, with its unit; no two of a table alike. */
  label: string
  /** Where the head is more than its words, or shows none. */
  head?: ReactNode
  title?: string | undefined
  /** At the right end of the column, digits under digits. */
  numeric?: boolean | undefined
  /** Of the head and of every cell. */
  className?: string | undefined
  /** Further attributes of its head. */
  own?: ComponentProps<'th'>
  /** Of a row's cell. */
  look?: (row: Row, index: number) => string | undefined
  cell?: (row: Row, index: number) => ReactNode
}

/**
 * A small table that is read, not worked with: no sorting, no selection, no cards on a phone (that is `DataTable`).
 * @example <Table dense columns={[{ label: '月份', cell: ({ period }) => period }, { label: '换手(倍)', numeric: true, cell: … }]} rows={monthly} rowKey={({ period }) => period} />
 */
export function Table<Row = never>({
  columns,
  rows = [],
  rowKey,
  rowClass,
  caption,
  dense = false,
  bare = false,
  grouped = false,
  className,
  children,
  ...own
}: Omit<ComponentProps<'table'>, 'rows'> & {
  /** Without them it has no heads. */
  columns?: readonly SmallColumn<Row>[]
  rows?: readonly Row[]
  rowKey?: (row: Row, index: number) => string | number | undefined
  rowClass?: (row: Row, index: number) => string | undefined
  /** Its name for a screen reader, where nothing around it says it. */
  caption?: string | undefined
  dense?: boolean
  /** It has a look of its own. */
  bare?: boolean
  /** Its children are bodies with rows, not rows. */
  grouped?: boolean
  /** Rows that are no data: of totals, or one that says why there are none. They stand last. */
  children?: ReactNode
}) {
  return (
    <table {...own} className={classesOf(!bare && 'table', dense && 'compact', className)}>
      {caption !== undefined && <caption className="hidden-text">{caption}</caption>}
      {columns && (
        <thead>
          <tr>
            {columns.map(({ label, head, title, numeric, className: its, own: further }) => (
              <th
                {...further}
                key={label}
                scope="col"
                title={title}
                className={classesOf(numeric && 'number', its)}
                aria-label={head === null ? label : undefined}
              >
                {head === undefined ? label : head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      {grouped ? (
        children
      ) : (
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey?.(row, index) ?? index} className={rowClass?.(row, index)}>
              {columns?.map(({ label, numeric, className: its, look, cell }) => (
                <td key={label} className={classesOf(numeric && 'number', its, look?.(row, index))}>
                  {cell?.(row, index)}
                </td>
              ))}
            </tr>
          ))}
          {children}
        </tbody>
      )}
    </table>
  )
}

const classesOf = (...classes: (string | false | undefined)[]) => classes.filter(Boolean).join(' ') || undefined
