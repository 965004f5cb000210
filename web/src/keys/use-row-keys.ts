import type { RefObject } from 'react'
import { useKeys } from './use-keys.ts'

/** Lets `j` and `k` move in the grid of a part of the page as ↓ and ↑ do; from outside the first press only focuses its current row. */
export function useRowKeys(part: RefObject<HTMLElement | null>): void {
  const move = (key: 'ArrowDown' | 'ArrowUp') => () => {
    const grid = part.current?.querySelector<HTMLElement>('[role="grid"]')
    // The grid has a single tab stop, which receives its key events.
    const stop = grid?.querySelector<HTMLElement>('[data-column][tabindex="0"]')
    if (!grid || !stop) return
    const inside = grid.contains(document.activeElement)
    stop.focus()
    if (inside) stop.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
  useKeys({ nextRow: move('ArrowDown'), previousRow: move('ArrowUp'), openRow: null })
}
