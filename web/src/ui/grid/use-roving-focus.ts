import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/** The document's focus follows the tab stop: after a move, and when the row that held it is gone. */
export function useRovingFocus(frame: { current: HTMLElement | null }) {
  const wanted = useRef(false)
  const inside = useRef(false)
  const stop = () => frame.current?.querySelector<HTMLElement>('[data-column][tabindex="0"]')
  useLayoutEffect(() => {
    const focused = document.activeElement
    // Other rows have come into the places of those that were there, or fewer.
    const lost =
      inside.current &&
      (focused === document.body || (frame.current?.contains(focused) && focused?.closest('[data-column][tabindex="-1"]')))
    if (!wanted.current && !lost) return
    wanted.current = false
    stop()?.focus({ preventScroll: true })
  })
  return {
    follow() {
      wanted.current = true
    },
    entered() {
      inside.current = true
    },
    left(event: FocusEvent) {
      // A row that is taken away leaves the focus nowhere: the next drawing brings it back.
      if (event.relatedTarget) inside.current = frame.current?.contains(event.relatedTarget) ?? false
      else setTimeout(() => (inside.current = frame.current?.contains(document.activeElement) ?? false))
    },
    /** Into a row's actions. */
    enter() {
      stop()?.querySelector<HTMLElement>('button')?.focus()
    },
    /** Between a row's actions, and back to their cell. */
    walk(key: string): boolean {
      const focused = document.activeElement as HTMLElement
      const cell = focused.closest<HTMLElement>('[data-column]')
      if (key === 'Escape') cell?.focus()
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      const buttons = [...(cell?.querySelectorAll<HTMLElement>('button') ?? [])]
      if (step !== 0) buttons[(buttons.indexOf(focused) + step + buttons.length) % buttons.length]?.focus()
      return step !== 0 || key === 'Escape'
    },
  }
}
