import { useEffect, useRef } from 'react'
import { takeFocus } from './take-focus.ts'

/**
 * For a part that changes under one's hands: where a change takes away what had the focus, the first of `places` that is there has it.
 * Else the next Tab would begin at the top of the page.
 */
export function useFocusKept(change: unknown, ...places: readonly string[]): void {
  const before = useRef(change)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per change
  useEffect(() => {
    if (before.current === change) return
    before.current = change
    const focused = document.activeElement
    if (focused && focused !== document.body) return
    const place = places.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null)
    if (place) takeFocus(place)
  }, [change])
}
