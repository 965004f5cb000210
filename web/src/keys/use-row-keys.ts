import type { RefObject } from 'react'
import { useKeys } from './use-keys.ts'

/** `j` and `k` are the arrows of the grid in a part of the page, also while the focus is elsewhere. */
export function useRowKeys(part: RefObject<HTMLElement | null>): void {
  const move = (key: 'ArrowDown' | 'ArrowUp') => () => {
    const grid = part.current?.querySelector<HTMLElement>('[role="grid"]')
    grid?.focus()
    grid?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
  useKeys({ nextRow: move('ArrowDown'), previousRow: move('ArrowUp'), openRow: null })
}
