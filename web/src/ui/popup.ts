import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'

/** What a popup needs of the button that opens it. */
export interface PopupPlace {
  anchor: RefObject<HTMLButtonElement | null>
  /** Opened by a key: the first row has the focus at once. */
  byKey: boolean
  align: 'left' | 'right'
  /** Its name for the reader; else the button's own words. */
  label?: string | undefined
  onClose: () => void
}

/**
 * A button of our own that opens a popup whose code comes late: the library's own triggers would put all of it into the first load
 * (decisions/0187). `trigger` are the button's attributes, `place` is what the popup needs while it is open.
 */
export function usePopup(kind: 'menu' | 'dialog', align: 'left' | 'right', label?: string) {
  const [opened, setOpened] = useState<'no' | 'key' | 'pointer'>('no')
  const anchor = useRef<HTMLButtonElement>(null)
  const open = opened !== 'no'
  const place: PopupPlace = { anchor, byKey: opened === 'key', align, label, onClose: () => setOpened('no') }
  return {
    open,
    place,
    trigger: {
      ref: anchor,
      type: 'button' as const,
      'aria-haspopup': kind,
      'aria-expanded': open,
      'aria-label': label,
      // A press by a key has no count of clicks.
      onClick: (event: MouseEvent) => setOpened(open ? 'no' : event.detail === 0 ? 'key' : 'pointer'),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setOpened('key')
      },
    },
  }
}
