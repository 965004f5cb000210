// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold rows placed by number; the roles say what they are
// biome-ignore-all lint/a11y/useFocusableInteractive: the roving tab stop is on the cells

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { isComposing } from '../../base/composing.ts'
import { usePhone } from '../../base/use-phone.ts'
import type { Column } from '../table/column.ts'
import { tsv } from '../table/sheet.ts'
import { nextSorts, type Sort, type Sorts, sortWords } from '../table/sort.ts'
import { toast } from '../toast.tsx'
import { copied } from './copied.ts'
import { GridHead, type OrderLock } from './grid-head.tsx'
import { BodyRow, type RowAction, SeparatorRow, SkeletonRows } from './grid-row.tsx'
import { type GridRow, isSeparator } from './grid-rows.ts'
import { layoutOf, onPhone, scrollFor } from './layout.ts'
import { type At, moveOf, rangeOf, within } from './move.ts'
import { allToggled, type Selection, shareOf, toggled, withRange } from './selection.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import { useRowHeights } from './use-row-heights.ts'
import { useScrolledMarks } from './use-scrolled-marks.ts'
import './data-grid.css'

export interface DataGridProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** In the order shown. */
  rows: readonly GridRow<Row>[]
  rowKey: (row: Row) => string
  rowClass?: (row: Row) => string | undefined
  sorts: Sorts
  onSort: (sorts: Sorts) => void
  /** What the rows' own order is by, for the arrow in the head. */
  ownOrder?: Sort
  onOpen?: (row: Row) => void
  /** Key of the row that is open beside the table. */
  current?: string | null
  /** The rows are of an earlier question. */
  stale?: boolean
  /** No rows yet. */
  loading?: boolean
  /** In the place of the rows: why there are none. */
  instead?: ReactNode
  selection?: Selection
  onSelect?: (selection: Selection) => void
  actions?: (row: Row) => readonly RowAction[]
  lock?: OrderLock
  /** Null takes a width back to the column's own. */
  onWidth?: (key: string, width: number | null) => void
  /** `.` in the grid. */
  onColumns?: () => void
}

/**
 * A table of thousands of rows: only those in sight are drawn, and the one that holds the focus. An ARIA grid with one tab stop:
 * arrows, Home, End, Ctrl+Home, Ctrl+End, PageUp and PageDown move it, with Shift they draw a range; Enter opens a row or sorts by a
 * head (Shift adds), Space ticks, Shift+Space ticks all between, Ctrl+A all, Ctrl+C copies, Alt with ← → in the head sets a width.
 */
export function DataGrid<Row>(given: DataGridProps<Row>) {
  const { label, columns, rows, rowKey, sorts, onSort, onOpen, current = null, selection, onSelect, lock, onWidth } = given
  const frame = useRef<HTMLDivElement>(null)
  const [rowHeight, headHeight] = useRowHeights(frame)
  const keyOf = (row: number) => {
    const at = rows[row - 1]
    return at === undefined ? null : isSeparator(at) ? at.id : rowKey(at)
  }
  const width = columns.length + (given.actions ? 1 : 0)
  const size = { rows: rows.length, columns: width, page: 1 }
  // The focus stays with its row when the rows change places.
  const [focused, setFocused] = useState<At & { key: string | null }>({ row: 1, column: 0, key: null })
  const active = useMemo(() => {
    const key = (row: GridRow<Row>) => (isSeparator(row) ? row.id : rowKey(row))
    const there = rows[focused.row - 1]
    const moved =
      focused.key !== null && (there === undefined || key(there) !== focused.key) ? rows.findIndex((row) => key(row) === focused.key) : -1
    return within({ row: moved < 0 ? focused.row : moved + 1, column: focused.column }, { rows: rows.length, columns: width, page: 1 })
  }, [focused, rows, rowKey, width])
  const [anchor, setAnchor] = useState<At | null>(null)
  const range = anchor && rangeOf(anchor, active)
  const [said, say] = useState('')
  const tickedFrom = useRef<string | null>(null)

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    rangeExtractor: (seen) => {
      const indexes = defaultRangeExtractor(seen)
      const index = active.row - 1
      return index < 0 || index >= rows.length || indexes.includes(index) ? indexes : [...indexes, index].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the density changed: every height is new
  useEffect(() => virtual.measure(), [rowHeight])
  const phone = usePhone()
  const ticks = selection !== undefined
  const layout = useMemo(() => layoutOf(phone ? onPhone(columns, ticks) : columns), [columns, phone, ticks])
  useScrolledMarks(frame, layout.width)
  const focus = useRovingFocus(frame)

  const moveTo = (to: At, drawing = false) => {
    setAnchor(drawing ? (anchor ?? active) : null)
    setFocused({ ...to, key: keyOf(to.row) })
    focus.follow()
    if (to.row > 0) virtual.scrollToIndex(to.row - 1)
    const box = frame.current
    const place = layout.places[to.column]
    if (box && place) box.scrollLeft = scrollFor(place, layout, box.scrollLeft, box.clientWidth)
  }
  const rowAt = (row: number): Row | null => {
    const at = rows[row - 1]
    return at === undefined || isSeparator(at) ? null : at
  }
  const keys = useMemo(() => (selection ? rows.flatMap((row) => (isSeparator(row) ? [] : [rowKey(row)])) : []), [selection, rows, rowKey])

  const pressHead = (index: number, adding: boolean) => {
    const column = columns[index]
    if (!column) return
    if (index === 0 && lock) {
      lock.change(!lock.on)
      if (!lock.on) onSort([])
      return say(lock.on ? '顺序已解锁' : '已恢复默认顺序并锁定')
    }
    if (!column.sortBy) return
    if (lock?.on) return say(`顺序已锁定，先在${columns[0]?.label ?? ''}列解锁`)
    const next = nextSorts(column, sorts, adding)
    onSort(next)
    say(sortWords(columns, next))
  }
  const tick = (row: number, range: boolean) => {
    const key = rowAt(row) === null ? null : keyOf(row)
    if (key === null || !selection || !onSelect) return
    onSelect(range ? withRange(selection, keys, tickedFrom.current, key) : toggled(selection, key))
    tickedFrom.current = key
  }
  const activate = (at: At, adding: boolean) => {
    if (at.row === 0) return pressHead(at.column, adding)
    if (at.column === columns.length) return focus.enter()
    const row = rowAt(at.row)
    if (row !== null) onOpen?.(row)
  }
  const widen = (step: number) => {
    const column = columns[active.column]
    if (!column || !onWidth) return
    onWidth(column.key, column.width + step)
    say(`${column.label}列宽 ${column.width + step}`)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || event.defaultPrevented) return
    const ctrl = event.ctrlKey || event.metaKey
    if (!(event.target as Element).matches('[data-column]')) {
      if (focus.walk(event.key)) event.preventDefault()
      return
    }
    const page = Math.max(1, Math.floor(((frame.current?.clientHeight ?? 300) - headHeight) / rowHeight) - 1)
    const to = event.altKey ? null : moveOf(event.key, ctrl, active, { ...size, page })
    if (to) moveTo(to, event.shiftKey && event.key.length > 1)
    else if (event.altKey && active.row === 0 && event.key === 'ArrowRight') widen(8)
    else if (event.altKey && active.row === 0 && event.key === 'ArrowLeft') widen(-8)
    else if (event.altKey) return
    else if (ctrl && event.key === 'a' && selection) onSelect?.(allToggled(selection, keys))
    else if (ctrl) return
    else if (event.key === 'Enter') activate(active, event.shiftKey)
    else if ((event.key === ' ' || event.key === 'x') && selection) {
      if (active.row === 0) onSelect?.(allToggled(selection, keys))
      else tick(active.row, event.shiftKey)
    } else if (event.key === ' ' && active.row === 0) pressHead(active.column, event.shiftKey)
    else if (event.key === '.' && given.onColumns) given.onColumns()
    else if (event.key === 'Escape' && anchor) setAnchor(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element
    const at = placeOf(target)
    if (!at || target.closest('button, a, input, .grid-resize')) return
    setAnchor(null)
    const onTick = target.closest('.grid-tick') !== null
    if (onTick && at.row === 0 && selection) onSelect?.(allToggled(selection, keys))
    else if (selection && at.row > 0 && (onTick || event.ctrlKey || event.metaKey || event.shiftKey)) tick(at.row, event.shiftKey)
    else if (at.column < columns.length) activate(at, event.shiftKey)
  }
  const onMouseDown = (event: MouseEvent) => {
    // Shift selects a range of rows; prevents the browser from selecting the text between.
    if (!event.shiftKey || !placeOf(event.target as Element)) return
    event.preventDefault()
    ;(event.target as Element).closest<HTMLElement>('[data-column]')?.focus({ preventScroll: true })
  }
  // Sets the full value as a title on hover or focus only: for every cell up front it would be half of the rendering work.
  const tellExactly = (target: Element) => {
    const at = placeOf(target)
    const row = at && rowAt(at.row)
    const cell = target.closest<HTMLElement>('[data-column]')
    if (!at || !cell || row === null) return
    const exact = columns[at.column]?.exact?.(row) ?? ''
    if (cell.title !== exact) cell.title = exact
  }
  const onFocus = (event: FocusEvent) => {
    focus.entered()
    tellExactly(event.target)
    const at = placeOf(event.target)
    if (at && (at.row !== active.row || at.column !== active.column)) setFocused({ ...at, key: keyOf(at.row) })
  }
  const onCopy = (event: ClipboardEvent) => {
    if (!document.getSelection()?.isCollapsed && document.getSelection()?.type === 'Range') return
    const { lines, words } = copied(columns, rows, range, active, selection, rowKey)
    if (lines.length === 0) return
    event.clipboardData.setData('text/plain', tsv(lines))
    event.preventDefault()
    toast.done(words)
  }

  const shownSorts = sorts.length > 0 || !given.ownOrder ? sorts : [given.ownOrder]
  const sorted = shownSorts.map(({ key }) => key).join(' ')
  const template = given.actions ? `${layout.template} 0px` : layout.template
  const looks = { '--columns': template, minWidth: layout.width, height: virtual.getTotalSize() + headHeight } as CSSProperties
  return (
    <div className="grid-shell">
      <div
        ref={frame}
        className={['grid-frame', given.stale && 'stale', selection && selection.size > 0 && 'ticking'].filter(Boolean).join(' ')}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={width}
        aria-busy={(given.stale ?? false) || (given.loading ?? false)}
        aria-multiselectable={selection ? true : undefined}
        onKeyDown={onKeyDown}
        onMouseDown={onMouseDown}
        onMouseMove={(event) => tellExactly(event.target as Element)}
        onClick={onClick}
        onFocus={onFocus}
        onBlur={focus.left}
        onCopy={onCopy}
      >
        <div className="grid-canvas" style={looks}>
          <GridHead
            columns={columns}
            layout={layout}
            sorts={shownSorts}
            active={active.row === 0 ? active.column : -1}
            share={selection && shareOf(selection, keys)}
            lock={lock}
            hasActions={given.actions !== undefined}
            onWidth={onWidth}
          />
          <div role="rowgroup">
            {given.loading && rows.length === 0 && <SkeletonRows columns={columns} layout={layout} height={rowHeight} count={14} />}
            {virtual.getVirtualItems().map((item) => {
              const row = rows[item.index]
              if (row === undefined) return null
              const index = item.index + 1
              const start = item.start - headHeight
              if (isSeparator(row))
                return (
                  <SeparatorRow key={row.id} index={index} start={start} colspan={width} active={active.row === index}>
                    {row.separator}
                  </SeparatorRow>
                )
              const key = rowKey(row)
              const ticked = selection?.has(key)
              const drawn = range && index >= range.top && index <= range.bottom
              // Keyed by its place: a new order writes other texts into the same elements, which costs half of making them anew.
              return (
                <BodyRow
                  key={index}
                  row={row}
                  index={index}
                  start={start}
                  columns={columns}
                  layout={layout}
                  sorted={sorted}
                  look={['grid-row body', given.rowClass?.(row), key === current && 'current', ticked && 'ticked']
                    .filter(Boolean)
                    .join(' ')}
                  active={active.row === index ? active.column : -1}
                  from={drawn ? range.left : -1}
                  to={drawn ? range.right : -1}
                  ticked={ticked}
                  current={key === current}
                  actions={given.actions?.(row)}
                />
              )
            })}
          </div>
        </div>
      </div>
      {given.instead && rows.length === 0 && !given.loading && <div className="grid-instead">{given.instead}</div>}
      <p className="hidden-text" role="status">
        {said}
      </p>
    </div>
  )
}

/** The row and column of the cell around an element. */
function placeOf(target: Element): At | null {
  const cell = target.closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  return cell && row ? { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) } : null
}
