// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold rows placed by number; the roles say what they are
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the one tab stop and names the active cell
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid hears the keys for its cells
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import './data-grid.css'

/** A column: `sortBy` makes its head a button; `pinned` keeps it in sight while the rest scrolls. */
export interface Column<Row> {
  key: string
  head: ReactNode
  /** The head in words, where it is more than text. */
  label: string
  /** Pixels; it never shrinks below. */
  width: number
  /** Takes its share of what is left. The places of pinned columns hold: with room to grow there is nothing to scroll. */
  grow?: boolean
  numeric?: boolean
  pinned?: 'left' | 'right'
  title?: string
  sortBy?: (row: Row) => number | string | null
  /** The first click sorts this way. */
  firstSort?: 'ascending' | 'descending'
  cell: (row: Row) => ReactNode
  className?: (row: Row) => string | undefined
}

export interface Sort {
  key: string
  direction: 'ascending' | 'descending'
}

/** A line across the table that begins a group: 候补, 移出. */
export interface Separator {
  separator: ReactNode
  id: string
}

export type GridRow<Row> = Row | Separator
const isSeparator = <Row,>(row: GridRow<Row>): row is Separator => typeof row === 'object' && row !== null && 'separator' in row

/** Rows in the asked order; what is missing comes last either way. */
export function sortRows<Row>(rows: readonly Row[], by: (row: Row) => number | string | null, direction: Sort['direction']): Row[] {
  const sign = direction === 'ascending' ? 1 : -1
  const keyed = rows.map((row) => ({ row, key: by(row) }))
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1
    if (typeof a.key === 'number' && typeof b.key === 'number') return sign * (a.key - b.key)
    return sign * String(a.key).localeCompare(String(b.key), 'zh-CN')
  })
  return keyed.map(({ row }) => row)
}

/**
 * A table of thousands of rows: only those in sight are drawn. It is an ARIA grid with one tab stop; the arrows, Home, End, PageUp and
 * PageDown move the focus, Enter opens a row or sorts by a head.
 */
export function DataGrid<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowClass,
  sort,
  onSort,
  onOpen,
  current,
  stale = false,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly GridRow<Row>[]
  rowKey: (row: Row) => string
  rowClass?: (row: Row) => string | undefined
  sort: Sort | null
  onSort: (sort: Sort | null) => void
  onOpen?: (row: Row) => void
  /** Key of the row that is open beside the table. */
  current?: string | null
  stale?: boolean
}) {
  const frame = useRef<HTMLDivElement>(null)
  const [rowHeight, headHeight] = useRowHeights(frame)
  const id = useId()
  // Row 0 is the head. The focus is a cell, not a row, as the grid pattern asks.
  const [focus, setFocus] = useState({ row: 0, column: 0 })
  const [focused, setFocused] = useState(false)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollPaddingStart: headHeight,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the density changed: every height is new
  useEffect(() => virtual.measure(), [rowHeight])

  const layout = useMemo(() => layoutOf(columns), [columns])
  const cellId = (row: number, column: number) => `${id}-${row}-${column}`

  const moveTo = (row: number, column: number) => {
    const next = { row: clamp(row, 0, rows.length), column: clamp(column, 0, columns.length - 1) }
    setFocus(next)
    if (next.row > 0) virtual.scrollToIndex(next.row - 1)
    const box = frame.current
    const place = layout.places[next.column]
    if (box && place && !place.pinned) {
      const left = place.start - layout.left
      const right = place.start + place.width - (box.clientWidth - layout.right)
      if (left < box.scrollLeft) box.scrollLeft = left
      else if (right > box.scrollLeft) box.scrollLeft = right
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(((frame.current?.clientHeight ?? 300) - headHeight) / rowHeight) - 1)
    const { row, column } = focus
    const moves: Record<string, readonly [row: number, column: number]> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      j: [row + 1, column],
      k: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [row, 0],
      End: [row, columns.length - 1],
    }
    const to = moves[event.key]
    if (to) moveTo(...to)
    else if (event.key === 'Enter') activate(row, column)
    else return
    event.preventDefault()
  }
  const activate = (row: number, column: number) => {
    const at = columns[column]
    if (row === 0 && at?.sortBy) return onSort(nextSort(at, sort))
    const given = rows[row - 1]
    if (given !== undefined && !isSeparator(given)) onOpen?.(given)
  }

  return (
    <div
      ref={frame}
      className={stale ? 'grid-frame stale' : 'grid-frame'}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-busy={stale}
      aria-activedescendant={focused ? cellId(focus.row, focus.column) : undefined}
      tabIndex={0}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={onKeyDown}
    >
      <div className="grid-canvas" style={{ minWidth: layout.width, height: virtual.getTotalSize() + headHeight }}>
        <div role="rowgroup" className="grid-head">
          <div role="row" aria-rowindex={1} className="grid-row" style={{ gridTemplateColumns: layout.template }}>
            {columns.map((column, index) => (
              <HeadCell
                key={column.key}
                id={cellId(0, index)}
                column={column}
                place={layout.places[index]}
                index={index}
                sort={sort}
                focused={focused && focus.row === 0 && focus.column === index}
                onSort={() => {
                  setFocus({ row: 0, column: index })
                  onSort(nextSort(column, sort))
                }}
              />
            ))}
          </div>
        </div>
        <div role="rowgroup">
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const style: CSSProperties = { gridTemplateColumns: layout.template, translate: `0 ${item.start}px` }
            if (isSeparator(row))
              return (
                <div key={row.id} role="row" aria-rowindex={item.index + 2} className="grid-row grid-separator" style={style}>
                  <div role="gridcell" id={cellId(item.index + 1, 0)} aria-colspan={columns.length}>
                    <span>{row.separator}</span>
                  </div>
                </div>
              )
            const key = rowKey(row)
            const names = ['grid-row', 'body', rowClass?.(row), key === current && 'current'].filter(Boolean).join(' ')
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={item.index + 2}
                aria-selected={key === current}
                className={names}
                style={style}
                onClick={() => onOpen?.(row)}
              >
                {columns.map((column, index) => {
                  const at = layout.places[index]
                  const marked = focused && focus.row === item.index + 1 && focus.column === index
                  return (
                    <div
                      key={column.key}
                      id={cellId(item.index + 1, index)}
                      role="gridcell"
                      aria-colindex={index + 1}
                      className={cellClass('grid-cell', column, sort, at, marked, column.className?.(row))}
                      style={at?.style}
                    >
                      {column.cell(row)}
                    </div>
                  )
                })}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function HeadCell<Row>({
  id,
  column,
  place,
  index,
  sort,
  focused,
  onSort,
}: {
  id: string
  column: Column<Row>
  place: Place | undefined
  index: number
  sort: Sort | null
  focused: boolean
  onSort: () => void
}) {
  const sorted = sort?.key === column.key ? sort.direction : null
  const sortable = column.sortBy !== undefined
  return (
    <div
      id={id}
      role="columnheader"
      aria-colindex={index + 1}
      aria-sort={sortable ? (sorted ?? 'none') : undefined}
      aria-label={column.label}
      className={cellClass(sortable ? 'grid-cell head sortable' : 'grid-cell head', column, sort, place, focused)}
      style={place?.style}
      title={column.title}
      onClick={sortable ? onSort : undefined}
    >
      {column.head}
      {sorted && <i aria-hidden="true">{sorted === 'descending' ? '↓' : '↑'}</i>}
    </div>
  )
}

/** A click goes first way → other way → the table's own order. */
function nextSort<Row>(column: Column<Row>, sort: Sort | null): Sort | null {
  const first = column.firstSort ?? 'descending'
  if (sort?.key !== column.key) return { key: column.key, direction: first }
  return sort.direction === first ? { key: column.key, direction: first === 'descending' ? 'ascending' : 'descending' } : null
}

interface Place {
  start: number
  width: number
  pinned: 'left' | 'right' | undefined
  style: CSSProperties
  edge: boolean
}

/** Where each column is: pinned ones stick to their side, the last at the left and the first at the right carry an edge. */
function layoutOf<Row>(columns: readonly Column<Row>[]) {
  const total = columns.reduce((sum, { width }) => sum + width, 0)
  let start = 0
  let end = total
  const places: Place[] = columns.map((column, index) => {
    const at = start
    start += column.width
    end -= column.width
    const edge =
      (column.pinned === 'left' && columns[index + 1]?.pinned !== 'left') ||
      (column.pinned === 'right' && columns[index - 1]?.pinned !== 'right')
    const style: CSSProperties = column.pinned === 'left' ? { left: at } : column.pinned === 'right' ? { right: end } : {}
    return { start: at, width: column.width, pinned: column.pinned, style, edge }
  })
  const sum = (side: 'left' | 'right') => columns.reduce((all, { width, pinned }) => all + (pinned === side ? width : 0), 0)
  return {
    width: total,
    left: sum('left'),
    right: sum('right'),
    template: columns.map(({ width, grow }) => (grow ? `minmax(${width}px, ${width}fr)` : `${width}px`)).join(' '),
    places,
  }
}

function cellClass<Row>(
  base: string,
  column: Column<Row>,
  sort: Sort | null,
  place: Place | undefined,
  focused: boolean,
  extra?: string,
): string {
  return [
    base,
    column.numeric && 'number',
    sort?.key === column.key && 'sorted',
    place?.pinned && `pinned-${place.pinned}`,
    place?.edge && 'edge',
    focused && 'focused',
    extra,
  ]
    .filter(Boolean)
    .join(' ')
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** Row and head heights of the density in force, read from the tokens. */
function useRowHeights(frame: { current: HTMLElement | null }): [number, number] {
  const [heights, setHeights] = useState<[number, number]>([28, 28])
  useEffect(() => {
    const read = () => {
      if (!frame.current) return
      const style = getComputedStyle(frame.current)
      setHeights([Number.parseFloat(style.getPropertyValue('--grid-row')), Number.parseFloat(style.getPropertyValue('--grid-head'))])
    }
    read()
    const watch = new MutationObserver(read)
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] })
    return () => watch.disconnect()
  }, [frame])
  return heights
}
