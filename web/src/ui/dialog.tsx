import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import './dialog.css'

/** A modal on the browser's own dialog: focus stays inside, Esc closes, what is behind is inert. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  width = 420,
  role,
  aside,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  width?: number
  role?: 'alertdialog'
  /** A drawer at the right edge in place of a box in the middle. */
  aside?: boolean
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The browser would take the first button, which only closes: what the dialog is for comes first.
    const wanted =
      shown?.querySelector<HTMLElement>('[data-focus]') ?? shown?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')
    wanted?.focus()
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the box closes it; the keyboard has Esc
    <dialog
      ref={dialog}
      className={aside ? 'dialog aside' : 'dialog'}
      style={{ width }}
      role={role}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <Button look={['ghost', 'square', 'small']} icon="cross" aria-label="关闭" onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
        <div className="dialog-body" tabIndex={0} data-focus={aside}>
          {children}
        </div>
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  )
}
