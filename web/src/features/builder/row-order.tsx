import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import styles from './builder.module.css'

/** The row `from` at the place `to`, the others closed up. */
export function moved<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const rest = rows.filter((_, index) => index !== from)
  const row = rows[from]
  return row === undefined ? [...rows] : [...rest.slice(0, to), row, ...rest.slice(to)]
}

export interface RowOrder {
  /** Which row is being dragged, and where it would go. */
  dragging: number | null
  over: number | null
  /** Of a row: where it stands, for the pointer. */
  rowProps(index: number): { 'data-order': number; className: string }
  handleProps(index: number, name: string): HandleProps
}

interface HandleProps {
  label: string
  onPointerDown: (event: PointerEvent<HTMLButtonElement>) => void
  onPointerMove: (event: PointerEvent<HTMLButtonElement>) => void
  onPointerUp: () => void
  onPointerCancel: () => void
  onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** Rows whose order is changed by dragging a handle, or with the arrows while the handle has the focus. */
export function useRowOrder(count: number, move: (from: number, to: number) => void): RowOrder {
  const [dragging, setDragging] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const list = useRef<HTMLElement | null>(null)
  const end = (take: boolean) => {
    if (take && dragging !== null && over !== null && over !== dragging) move(dragging, over)
    setDragging(null)
    setOver(null)
  }
  return {
    dragging,
    over,
    rowProps: (index) => {
      const side =
        over === null || dragging === null || over !== index || over === dragging
          ? ''
          : over < dragging
            ? ` ${styles.dropBefore}`
            : ` ${styles.dropAfter}`
      return { 'data-order': index, className: `${styles.orderRow}${dragging === index ? ` ${styles.dragged}` : ''}${side}` }
    },
    handleProps: (index, name) => ({
      label: `调整次序：${name}，第 ${index + 1} 条，共 ${count} 条。用上下方向键移动`,
      onPointerDown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        list.current = event.currentTarget.closest<HTMLElement>('.section-body')
        setDragging(index)
        setOver(index)
      },
      onPointerMove: (event) => {
        if (dragging === null) return
        const places = [...(list.current?.querySelectorAll<HTMLElement>('[data-order]') ?? [])]
        const at = places.findIndex((row) => event.clientY < row.getBoundingClientRect().bottom)
        setOver(at < 0 ? count - 1 : at)
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
      onKeyDown: (event) => {
        if (event.key === 'Escape') return end(false)
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (step === 0) return
        event.preventDefault()
        const to = index + step
        if (to < 0 || to >= count) return
        move(index, to)
        // The row has moved: its handle is now that of its new place.
        const body = event.currentTarget.closest('.section-body')
        requestAnimationFrame(() => body?.querySelector<HTMLElement>(`[data-order="${to}"] [data-handle]`)?.focus())
      },
    }),
  }
}

export const RowHandle = ({ label, ...events }: HandleProps) => (
  <button type="button" className={styles.rowHandle} data-handle aria-label={label} title="拖动调整次序，或用 ↑ ↓" {...events}>
    <Icon name="grip" size="small" />
  </button>
)
