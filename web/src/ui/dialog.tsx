import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { useModal } from './use-modal.ts'
import './dialog.css'

/** A modal on the browser's own dialog: focus stays inside, Esc closes, what is behind is inert. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  width = 420,
  role,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  width?: number
  role?: 'alertdialog'
}) {
  const id = useId()
  // The browser would take the first button, which only closes: what the dialog is for comes first.
  const modal = useModal(onClose, '[data-focus]', '.dialog-body :is(input, select, textarea)')
  return (
    <dialog {...modal} className="dialog" style={{ width }} role={role} aria-labelledby={id}>
      <div className="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <Button look={['ghost', 'square', 'small']} icon="cross" aria-label="关闭" onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
        <div className="dialog-body" tabIndex={0}>
          {children}
        </div>
        {footer && <footer>{footer}</footer>}
      </div>
    </dialog>
  )
}
