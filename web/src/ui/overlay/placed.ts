import { type RefObject, useEffect, useRef } from 'react'
import { isComposing } from '../../base/composing.ts'
import type { PopupPlace } from '../popup.ts'

/** How a popup stands at its button or mark: below it, or above where there is no room, inside the window. */
export const placed = ({
  anchor,
  align,
  margin = 8,
}: {
  anchor: RefObject<Element | null> | Element
  align: PopupPlace['align']
  margin?: number | undefined
}) => ({
  anchor,
  align: align === 'right' ? ('end' as const) : ('start' as const),
  sideOffset: 4,
  collisionPadding: margin,
  className: 'popup-place',
})

/** A press of the button that opened a popup comes to it as one outside: the button closes it by itself. */
export const isPressOf = (anchor: PopupPlace['anchor'], event: Event): boolean =>
  event.type !== 'keydown' &&
  [event.target, event instanceof FocusEvent ? event.relatedTarget : null].some(
    (target) => target instanceof Node && anchor.current?.contains(target),
  )

/**
 * Closes and gives the focus to the button: at once, and again when the popup is gone, since the library may have moved it meanwhile. `then` is
 * done after that: a dialog which it opens gives the focus back to the button.
 */
export function useCloseWithFocus({ anchor, onClose }: PopupPlace): (then?: () => void) => void {
  const closing = useRef<(() => void) | null>(null)
  useEffect(
    () => () => {
      if (!closing.current) return
      if (document.activeElement === document.body) anchor.current?.focus()
      closing.current()
    },
    [anchor],
  )
  return (then = () => {}) => {
    closing.current = then
    onClose()
    anchor.current?.focus()
  }
}

/** For a popup outside the focus: Esc closes it before a dialog around it, which would be asked first. */
export function useEscape(act: () => void, wanted = true): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!wanted) return
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isComposing(event)) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    document.addEventListener('keydown', hear, true)
    return () => document.removeEventListener('keydown', hear, true)
  }, [wanted])
}
