// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold rows placed by number; the roles say what they are
// biome-ignore-all lint/a11y/useFocusableInteractive: the roving tab stop is on the cells
import type { PointerEvent } from 'react'
import { Icon } from '../icon.tsx'
import type { Column } from '../table/column.ts'
import type { Sorts } from '../table/sort.ts'
import { cellLook } from './grid-row.tsx'
import type { Layout } from './layout.ts'

/** The rows' own order, held against clicks on the heads. */
export interface OrderLock {
  on: boolean
  change(on: boolean): void
}

/** The head row. The grid handles its clicks and keys; only the width handles have handlers of their own. */
export function GridHead<Row>({
  columns,
  layout,
  sorts,
  active,
  share,
  lock,
  hasActions,
  onWidth,
}: {
  columns: readonly Column<Row>[]
  layout: Layout
  sorts: Sorts
  /** Column of the tab stop; −1 when it is in the body. */
  active: number
  /** How many of the rows are ticked; undefined where rows cannot be. */
  share: 'all' | 'some' | 'none' | undefined
  lock: OrderLock | undefined
  hasActions: boolean
  onWidth: ((key: string, width: number | null) => void) | undefined
}) {
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" data-row={0} aria-rowindex={1} className="grid-row">
        {columns.map((column, index) => {
          const place = sorts.findIndex(({ key }) => key === column.key)
          const sort = sorts[place]
          const locking = index === 0 && lock
          const sortable = column.sortBy !== undefined && !lock?.on
          return (
            <div
              key={column.key}
              role="columnheader"
              data-column={index}
              aria-colindex={index + 1}
              aria-sort={column.sortBy ? (sort?.direction ?? 'none') : undefined}
              aria-label={locking ? `${column.label}，顺序${lock.on ? '已锁定' : '可变'}` : column.label}
              tabIndex={index === active ? 0 : -1}
              title={locking ? (lock.on ? '顺序已锁定，点击解锁' : '点击回到默认顺序并锁定') : column.title}
              className={cellLook('grid-cell head', column, sort !== undefined, layout.places[index], [
                (sortable || locking) && 'sortable',
                column.grow && 'grow-cell',
              ])}
              style={layout.places[index]?.style}
            >
              {index === 0 && share && !lock?.on && <i className={`grid-tick ${share}`} aria-hidden="true" />}
              {locking && lock.on && (
                <span className="grid-lock">
                  <Icon name="lock" size="small" />
                </span>
              )}
              {column.head ?? column.label}
              {sort && (
                <i aria-hidden="true">
                  {sort.direction === 'descending' ? '↓' : '↑'}
                  {sorts.length > 1 && <sub>{place + 1}</sub>}
                </i>
              )}
              {onWidth && (
                <i
                  className="grid-resize"
                  aria-hidden="true"
                  title="拖动调整列宽，双击还原"
                  onPointerDown={(event) => drag(event, (width) => onWidth(column.key, width))}
                  onDoubleClick={() => onWidth(column.key, null)}
                />
              )}
            </div>
          )
        })}
        {hasActions && (
          <div
            role="columnheader"
            data-column={columns.length}
            aria-colindex={columns.length + 1}
            aria-label="操作"
            tabIndex={active === columns.length ? 0 : -1}
            className="grid-more"
          />
        )}
      </div>
    </div>
  )
}

/** Follows the pointer until it is let go. */
function drag(event: PointerEvent<HTMLElement>, onWidth: (width: number) => void): void {
  event.preventDefault()
  const handle = event.currentTarget
  const from = event.clientX
  const width = handle.parentElement?.offsetWidth ?? 0
  const move = (next: globalThis.PointerEvent) => onWidth(width + next.clientX - from)
  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
