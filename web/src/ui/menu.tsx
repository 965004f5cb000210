import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFloating } from './form/floating.ts'
import './menu.css'

/** A press of a menu: it closes the menu and does what it says. */
export interface MenuChoice {
  label: string
  run: () => unknown
  /** Cannot be pressed now. */
  off?: boolean
  danger?: boolean
  /** The key that does the same. */
  shortcut?: string
}

export const MenuChoices = ({ choices, close }: { choices: readonly MenuChoice[]; close: () => void }) =>
  choices.map(({ label, run, off = false, danger = false, shortcut }) => (
    <button
      type="button"
      className={danger ? 'menu-item danger' : 'menu-item'}
      key={label}
      disabled={off}
      onClick={() => {
        close()
        void run()
      }}
    >
      {label}
      {shortcut && (
        <>
          <span className="grow" />
          <kbd>{shortcut}</kbd>
        </>
      )}
    </button>
  ))

/**
 * A button that opens a small panel under itself. Esc, a click elsewhere and leaving by Tab close it; the arrows walk
 * through its links and buttons.
 */
export function Menu({
  button,
  label,
  className = 'button ghost small',
  align = 'left',
  hover = false,
  lead,
  children,
}: {
  button: ReactNode
  /** Stands before the button and opens the panel with it: the link of a menu's word. */
  lead?: ReactNode
  /** For the reader where the button has no text. */
  label?: string
  className?: string
  align?: 'left' | 'right'
  /** Opens under the mouse too, after the specification's 100 ms. */
  hover?: boolean
  children: (close: () => void) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useFloating(open, root, panel, false, undefined, align)

  useEffect(() => {
    if (!open) return
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    // A panel that the mouse opened is closed by Esc wherever the focus is (WCAG 1.4.13).
    const leave = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    document.addEventListener('focusin', away)
    document.addEventListener('keydown', leave)
    return () => {
      document.removeEventListener('keydown', leave)
      document.removeEventListener('pointerdown', away)
      document.removeEventListener('focusin', away)
    }
  }, [open])
  useEffect(() => () => clearTimeout(timer.current), [])

  const close = () => {
    setOpen(false)
    trigger.current?.focus()
  }
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('.menu a, .menu button:not(:disabled)') ?? [])]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      return close()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    clearTimeout(timer.current)
    flushSync(() => setOpen(true))
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length]?.focus()
  }
  // A finger has no hover: its tap would open and close at once.
  const later = (next: boolean, pointer: string) => {
    if (!hover || pointer !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), next ? 100 : 200)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the mouse are heard for the button and links inside
    <div
      className="menu-root"
      ref={root}
      onKeyDown={onKeyDown}
      onPointerEnter={(event) => later(true, event.pointerType)}
      onPointerLeave={(event) => later(false, event.pointerType)}
    >
      {lead}
      <button
        type="button"
        ref={trigger}
        className={className}
        aria-expanded={open}
        aria-label={label}
        onClick={(event) => setOpen(!open || (hover && event.detail > 0))}
      >
        {button}
      </button>
      {open && (
        <div className="menu" ref={panel} popover="manual">
          {children(close)}
        </div>
      )}
    </div>
  )
}
