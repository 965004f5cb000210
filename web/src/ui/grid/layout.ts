import type { CSSProperties } from 'react'
import type { Column } from '../table/column.ts'

/** Where a column stands. */
export interface Place {
  start: number
  width: number
  pinned: 'left' | 'right' | undefined
  /** Pinned ones stick to their side. */
  style: CSSProperties
  /** The last pinned at the left and the first at the right: a line, and a shadow while something is scrolled under it. */
  edge: boolean
}

export interface Layout {
  width: number
  /** Pinned at each side. */
  left: number
  right: number
  /** For `grid-template-columns`. */
  template: string
  places: readonly Place[]
}

/** On a phone only the first column is pinned, more would leave nothing to scroll; it has room for the tick that is always there. */
export const onPhone = <Row>(columns: readonly Column<Row>[], ticks: boolean): readonly Column<Row>[] =>
  columns.map((column, index) => (index === 0 ? { ...column, width: column.width + (ticks ? 24 : 0) } : { ...column, pinned: undefined }))

/** Where no column grows, the last that is not pinned does. */
export function layoutOf<Row>(columns: readonly Column<Row>[]): Layout {
  const growing = columns.some(({ grow }) => grow) ? undefined : columns.findLast(({ pinned }) => !pinned)
  const total = columns.reduce((sum, { width }) => sum + width, 0)
  let start = 0
  let end = total
  const places = columns.map((column, index): Place => {
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
    template: columns.map((one) => (one.grow || one === growing ? `minmax(${one.width}px, ${one.width}fr)` : `${one.width}px`)).join(' '),
    places,
  }
}

/** How far the frame must be scrolled that a column is seen whole between the pinned ones. */
export function scrollFor(place: Place, layout: Layout, scrolled: number, frame: number): number {
  if (place.pinned) return scrolled
  const left = place.start - layout.left
  const right = place.start + place.width - (frame - layout.right)
  return left < scrolled ? left : right > scrolled ? right : scrolled
}
