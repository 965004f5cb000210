import { type ReactNode, useId } from 'react'
import { Button } from '../button.tsx'
import { Modal } from './modal.tsx'
import './dialog.css'

/** A small modal in the middle: a form, or something to read and answer. */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  width = 420,
  role = 'dialog',
}: {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  width?: number
  role?: 'dialog' | 'alertdialog'
}) {
  const id = useId()
  // The first control would be the button that only closes: what the dialog is for comes first.
  const focus = ['[data-focus]', '.dialog-body :is(input, select, textarea)']
  return (
    <Modal className="dialog" style={{ width }} role={role} labelledBy={id} focus={focus} onClose={onClose}>
      <section className="dialog-box">
        <header>
          <h2 id={id}>{title}</h2>
          <Button look={['ghost', 'square', 'small']} icon="cross" aria-label="关闭" onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
        <div className="dialog-body" tabIndex={0}>
          {children}
        </div>
        {footer && <footer>{footer}</footer>}
      </section>
    </Modal>
  )
}
