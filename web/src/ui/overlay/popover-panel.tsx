import { Popover as Base } from '@base-ui/react/popover'
import { type FocusEvent, type ReactNode, type RefObject, useRef } from 'react'
import type { PopupPlace } from '../popup.ts'
import { isPressOf, placed, useCloseWithFocus, useEscape } from './placed.ts'
import '../menu.css'

/** A panel under its button, which stands beside it in the tree. It is unmounted when it closes. */
export function PopoverPanel({
  id,
  box,
  margin,
  className = 'menu',
  takesFocus = true,
  children,
  ...place
}: PopupPlace & {
  id?: string
  /** What it stands at where that is more than its button: a field. */
  box?: RefObject<Element | null> | undefined
  /** Pixels to the edges of the window. */
  margin?: number
  className?: string | undefined
  /** Whether the focus goes into it when it opens; else Tab leads there from the button. */
  takesFocus?: boolean
  children: (close: () => void) => ReactNode
}) {
  const { anchor, label, onClose } = place
  const popup = useRef<HTMLDivElement>(null)
  const close = useCloseWithFocus(place)
  useEscape(() => (popup.current?.contains(document.activeElement) ? close() : onClose()), !takesFocus)
  return (
    <Base.Root
      open
      onOpenChange={(_, { reason, event }) => {
        if (isPressOf(anchor, event)) return
        if (reason === 'escape-key') close()
        else onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner {...placed({ ...place, anchor: box ?? anchor, margin })} onFocus={(event) => leaveByTab(event, anchor.current)}>
          <Base.Popup
            ref={popup}
            id={id}
            className={className}
            aria-label={label ?? anchor.current?.textContent}
            {...(takesFocus ? {} : { initialFocus: false })}
            finalFocus={false}
          >
            {children(() => close())}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/**
 * The library's guard behind the last control leads back to the page only from a trigger of its own, and would keep the focus at the end of the
 * document: the guard that it has left behind our button knows the way, and closes the panel.
 */
function leaveByTab({ target, currentTarget, relatedTarget }: FocusEvent, button: HTMLElement | null): void {
  if (target !== currentTarget.lastElementChild || !currentTarget.contains(relatedTarget)) return
  const guards = button?.parentElement?.querySelectorAll<HTMLElement>(':scope > [data-base-ui-focus-guard]')
  guards?.item(guards.length - 1)?.focus()
}
