import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import type { PopupPlace } from '../popup.ts'
import { isPressOf, placed, useCloseWithFocus } from './placed.ts'

/** A panel under its button. It is unmounted when it closes. */
export function PopoverPanel({ children, ...place }: PopupPlace & { children: (close: () => void) => ReactNode }) {
  const { anchor, label, onClose } = place
  const close = useCloseWithFocus(place)
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
        <Base.Positioner {...placed(place)}>
          <Base.Popup className="menu" aria-label={label ?? anchor.current?.textContent} finalFocus={false}>
            {children(() => close())}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
