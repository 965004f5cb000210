import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import './menu.css'

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
  children,
}: {
  button: ReactNode
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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (!open) return
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    document.addEventListener('focusin', away)
    return () => {
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
      event.stopPropagation()
      return close()
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    setOpen(true)
    requestAnimationFrame(() => {
      const all = items()
      const at = all.indexOf(document.activeElement as HTMLElement)
      all[(at + step + all.length) % all.length]?.focus()
    })
  }
  const later = (next: boolean) => {
    if (!hover) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), next ? 100 : 200)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the mouse are heard for the button and links inside
    <div className="menu-root" ref={root} onKeyDown={onKeyDown} onPointerEnter={() => later(true)} onPointerLeave={() => later(false)}>
      <button type="button" ref={trigger} className={className} aria-expanded={open} aria-label={label} onClick={() => setOpen(!open)}>
        {button}
      </button>
      {open && <div className={`menu ${align}`}>{children(close)}</div>}
    </div>
  )
}
