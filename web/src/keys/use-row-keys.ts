import type { RefObject } from 'react'
import { useKeys } from './use-keys.ts'

/** `j` and `k` are the arrows of the grid in a part of the page; from elsewhere the first press comes to the row where the grid stands. */
export function useRowKeys(part: RefObject<HTMLElement | null>): void {
  const move = (key: 'ArrowDown' | 'ArrowUp') => () => {
    const grid = part.current?.querySelector<HTMLElement>('[role="grid"]')
    // The grid hears keys at its one tab stop.
    const stop = grid?.querySelector<HTMLElement>('[data-column][tabindex="0"]')
    if (!grid || !stop) return
    const inside = grid.contains(document.activeElement)
    stop.focus()
    if (inside) stop.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
  useKeys({ nextRow: move('ArrowDown'), previousRow: move('ArrowUp'), openRow: null })
}
