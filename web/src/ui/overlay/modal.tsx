import { Dialog as Base } from '@base-ui/react/dialog'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'

/**
 * What stands modal above the page while it is mounted: it keeps the focus, what is behind it is neither pressed nor read, Esc and a press
 * beside it close it. The focus goes to what the first of `focus` finds, else to the first control, and back to what had it. `header` and
 * `footer` stand in a `section`: otherwise they would be landmarks of the page.
 */
export function Modal({
  className,
  role = 'dialog',
  labelledBy,
  describedBy,
  label,
  style,
  focus = [],
  onClose,
  children,
}: {
  className: string | undefined
  role?: 'dialog' | 'alertdialog'
  labelledBy?: string
  describedBy?: string
  label?: string
  style?: CSSProperties
  /** Selectors inside. */
  focus?: readonly string[]
  onClose: () => void
  children: ReactNode
}) {
  const popup = useRef<HTMLDivElement>(null)
  const first = () => focus.map((what) => popup.current?.querySelector<HTMLElement>(what)).find(Boolean) ?? true
  useFocusBack()
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className="backdrop" />
        <Base.Popup
          ref={popup}
          role={role}
          aria-label={label}
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
          initialFocus={first}
          finalFocus={false}
          className={`modal ${className}`}
          style={style}
          data-modal
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** The library would give the focus to the first control inside what had it, not to that itself: a section that was led to loses its place. */
function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    },
    [opener],
  )
}
