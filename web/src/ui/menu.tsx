import type { ReactNode } from 'react'
import type { MenuChoice } from './menu-choice.ts'
import { MenuPopup } from './overlay/late-parts.ts'
import { usePopup } from './popup.ts'
import './menu.css'

/** A button that opens a menu of commands or links; `end` stands below a line, for what ends the thing. */
export function Menu({
  button,
  label,
  className = 'button ghost small',
  align = 'left',
  choices,
  end = [],
}: {
  button: ReactNode
  /** For the reader where the button has no text. */
  label?: string
  className?: string | undefined
  align?: 'left' | 'right'
  choices: readonly MenuChoice[]
  end?: readonly MenuChoice[]
}) {
  const { open, trigger, place } = usePopup('menu', align, label)
  return (
    <span className="popover-root">
      <button {...trigger} className={className}>
        {button}
      </button>
      {open && <MenuPopup {...place} choices={choices} end={end} />}
    </span>
  )
}
