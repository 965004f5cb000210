import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useFloating } from './form/floating.ts'
import './tooltip.css'

const patience = 100

/**
 * A few words beside what they explain, under the mouse and on focus; Esc closes them, and the mouse may go into them
 * (WCAG 1.4.13). The child is a button or link, given what describes it.
 */
export function Tooltip({
  words,
  children,
}: {
  words: ReactNode
  children: (described: { 'aria-describedby': string | undefined }) => ReactNode
}) {
  const [open, setOpen] = useState(false)
  const anchor = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  useFloating(open, anchor, panel, false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!open) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
    document.addEventListener('keydown', press, true)
    return () => document.removeEventListener('keydown', press, true)
  }, [open])
  const later = (next: boolean) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(next), patience)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: heard for the button or link inside
    <span
      ref={anchor}
      className="tooltip-root"
      onPointerEnter={() => later(true)}
      onPointerLeave={() => later(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
    >
      {children({ 'aria-describedby': open ? id : undefined })}
      <span ref={panel} id={id} className="tooltip" role="tooltip" popover="manual">
        {words}
      </span>
    </span>
  )
}
