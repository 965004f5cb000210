import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactNode } from 'react'
import { placed, useEscape } from './placed.ts'
import './tip.css'

/** Words at a mark. They take no focus; Esc and a press elsewhere close them, a press of the mark is the caller's. */
export function TipPanel({
  anchor,
  role,
  className,
  onClose,
  children,
}: {
  anchor: Element
  /** A `tooltip` is only read, a `status` may hold a button. */
  role: 'tooltip' | 'status'
  className: string | undefined
  onClose: () => void
  children: ReactNode
}) {
  useEscape(onClose)
  return (
    <Base.Root
      open
      disableHoverablePopup={role === 'tooltip'}
      onOpenChange={(_, { event: { target } }) => {
        if (!(target instanceof Node && anchor.contains(target))) onClose()
      }}
    >
      <Base.Portal>
        <Base.Positioner {...placed({ anchor, align: 'left' })} side="bottom">
          <Base.Popup role={role} className={`tip ${className}`}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
