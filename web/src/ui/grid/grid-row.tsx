// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold rows placed by number; the roles say what they are
// biome-ignore-all lint/a11y/useFocusableInteractive: the roving tab stop is on the cells
import { memo, type ReactElement, type ReactNode } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import type { Column } from '../table/column.ts'
import type { Layout, Place } from './layout.ts'

/** What can be done with one row, without opening it. */
export interface RowAction {
  label: string
  icon: IconName
  run(): void
}

interface BodyRowProps<Row> {
  row: Row
  /** 1 for the first below the head. */
  index: number
  start: number
  columns: readonly Column<Row>[]
  layout: Layout
  /** Keys of the sorted columns, as one text. */
  sorted: string
  look: string
  /** Column of the tab stop; −1 when it is in another row. */
  active: number
  /** First and last column of the drawn range in this row; −1 for none. */
  from: number
  to: number
  ticked: boolean | undefined
  current: boolean
  actions: readonly RowAction[] | undefined
}

/** One row of the body. It draws itself again only when something of its own has changed. */
export const BodyRow = memo(function Body<Row>(given: BodyRowProps<Row>) {
  const { row, index, start, columns, layout, sorted, look, active, from, to, ticked, current, actions } = given
  const keys = sorted.split(' ')
  return (
    <div
      role="row"
      data-row={index}
      aria-rowindex={index + 1}
      aria-selected={ticked ?? current}
      aria-current={ticked !== undefined && current ? true : undefined}
      className={look}
      style={{ translate: `0 ${start}px` }}
    >
      {columns.map((column, at) => {
        const shown = column.cell(row)
        const tick = at === 0 && ticked !== undefined
        const text = typeof shown === 'string' && !tick
        return (
          <div
            key={column.key}
            role="gridcell"
            data-column={at}
            aria-colindex={at + 1}
            tabIndex={at === active ? 0 : -1}
            className={cellLook('grid-cell', column, keys.includes(column.key), layout.places[at], [
              text && 'grid-text',
              text && fits(shown, column.width) && 'grid-fits',
              column.className?.(row),
              at >= from && at <= to && 'in-range',
            ])}
            style={layout.places[at]?.style}
          >
            {tick && <i className="grid-tick" aria-hidden="true" />}
            {shown}
          </div>
        )
      })}
      {actions && (
        <div
          role="gridcell"
          data-column={columns.length}
          aria-colindex={columns.length + 1}
          tabIndex={active === columns.length ? 0 : -1}
          className="grid-more"
        >
          <span className="grid-actions">
            {actions.map(({ label, icon, run }) => (
              <button type="button" key={label} tabIndex={-1} title={label} aria-label={label} onClick={run}>
                <Icon name={icon} size="middle" />
              </button>
            ))}
          </span>
        </div>
      )}
    </div>
  )
}) as <Row>(given: BodyRowProps<Row>) => ReactElement

/**
 * Whether a text surely fits its column, so that nothing must be clipped: the clips of a screen of cells are a fifth of what drawing
 * them costs. Widths are those of a broad font of 13 px; the sides take 16.
 */
export function fits(text: string, width: number): boolean {
  let free = width - 16
  for (let i = 0; i < text.length && free >= 0; i++) free -= narrow.has(text.charCodeAt(i)) ? 8 : 13
  return free >= 0
}

const narrow = new Set([...'0123456789.,:+-−'].map((letter) => letter.charCodeAt(0)))

/** A line across the table: the start of a group, or a row that has nothing to compare. */
export const SeparatorRow = ({
  index,
  start,
  colspan,
  active,
  children,
}: {
  index: number
  start: number
  colspan: number
  active: boolean
  children: ReactNode
}) => (
  <div role="row" data-row={index} aria-rowindex={index + 1} className="grid-row grid-separator" style={{ translate: `0 ${start}px` }}>
    <div role="gridcell" data-column={0} aria-colindex={1} aria-colspan={colspan} tabIndex={active ? 0 : -1}>
      <span>{children}</span>
    </div>
  </div>
)

/** Rows of the real widths while the first are on their way. */
export const SkeletonRows = <Row,>({
  columns,
  layout,
  height,
  count,
}: {
  columns: readonly Column<Row>[]
  layout: Layout
  height: number
  count: number
}) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all alike
    <div key={index} aria-hidden="true" className="grid-row body waiting" style={{ translate: `0 ${index * height}px` }}>
      {columns.map((column, at) => (
        <div key={column.key} className={cellLook('grid-cell', column, false, layout.places[at])} style={layout.places[at]?.style}>
          <span className="skeleton" style={{ width: `${Math.round(Math.min(0.8, 44 / column.width + 0.2) * 100)}%` }} />
        </div>
      ))}
    </div>
  ))

export function cellLook<Row>(
  base: string,
  column: Column<Row>,
  sorted: boolean,
  place: Place | undefined,
  more: readonly (string | false | undefined)[] = [],
): string {
  return [base, column.numeric && 'number', sorted && 'sorted', place?.pinned && `pinned-${place.pinned}`, place?.edge && 'edge', ...more]
    .filter(Boolean)
    .join(' ')
}
