import type { ReactNode } from 'react'
import type { MenuChoice } from './menu-choice.ts'
import { PopoverPanel } from './overlay/late-parts.ts'
import { usePopup } from './popup.ts'
import './menu.css'

/** A button that opens a small panel of words, links or fields. */
export function Popover({
  button,
  label,
  className = 'button ghost small',
  align = 'left',
  children,
}: {
  button: ReactNode
  /** For the reader where the button has no text. */
  label?: string
  className?: string | undefined
  align?: 'left' | 'right'
  children: (close: () => void) => ReactNode
}) {
  const { open, trigger, place } = usePopup('dialog', align, label)
  return (
    <span className="popover-root">
      <button {...trigger} className={className}>
        {button}
      </button>
      {open && <PopoverPanel {...place}>{children}</PopoverPanel>}
    </span>
  )
}

/** Commands below the fields of a panel. */
export const PopoverChoices = ({ choices, close }: { choices: readonly MenuChoice[]; close: () => void }) =>
  choices.map(({ label, run, off = false }) => (
    <button
      type="button"
      className="menu-item"
      key={label}
      disabled={off}
      onClick={() => {
        close()
        void run?.()
      }}
    >
      {label}
    </button>
  ))
