import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Icon } from './icon.tsx'
import './menu.css'

/** Milliseconds under the mouse until it opens, and after it until it closes. */
const delays = { open: 100, close: 200 }

/**
 * A word of the navigation with its pages: a disclosure inside `<nav>`, since a portal would leave the landmark. It opens under the mouse, by the
 * arrow beside the word and by arrow keys, which walk through its links; Esc, a press elsewhere and leaving it close it.
 */
export function NavMenu({ word, label, children }: { word: ReactNode; label: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (!open) return
    const listeners = new AbortController()
    const away = ({ target }: Event) => !root.current?.contains(target as Node) && setOpen(false)
    // A panel that the mouse opened is closed by Esc wherever the focus is (WCAG 1.4.13).
    const leave = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && setOpen(false)
    for (const event of ['pointerdown', 'focusin']) document.addEventListener(event, away, { signal: listeners.signal })
    document.addEventListener('keydown', leave, { signal: listeners.signal })
    return () => listeners.abort()
  }, [open])
  useEffect(() => () => clearTimeout(timer.current), [])

  const close = () => {
    setOpen(false)
    trigger.current?.focus()
  }
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
    const links = [...(root.current?.querySelectorAll<HTMLElement>('.menu a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    links[at < 0 && step < 0 ? links.length - 1 : (at + step + links.length) % links.length]?.focus()
  }
  // A finger has no hover: its tap would open and close at once.
  const later = (next: boolean, pointer: string) => {
    if (pointer !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), next ? delays.open : delays.close)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the mouse are heard for the button and links inside
    <div
      className="nav-menu"
      ref={root}
      onKeyDown={onKeyDown}
      onPointerEnter={({ pointerType }) => later(true, pointerType)}
      onPointerLeave={({ pointerType }) => later(false, pointerType)}
    >
      {word}
      <button
        type="button"
        ref={trigger}
        className="main-menu-arrow"
        aria-expanded={open}
        aria-label={label}
        // The mouse has opened it already.
        onClick={({ detail }) => setOpen(!open || detail > 0)}
      >
        <Icon name="down" size="small" />
      </button>
      {open && <div className="menu">{children(close)}</div>}
    </div>
  )
}
