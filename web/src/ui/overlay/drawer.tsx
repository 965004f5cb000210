import { type ReactNode, useId } from 'react'
import { Button } from '../button.tsx'
import { Modal } from './modal.tsx'
import './drawer.css'

/** Walking through a list without leaving the drawer. */
export interface DrawerSteps {
  /** `3 / 20` */
  place: string
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

/**
 * A panel at the right edge over the page, on the phone a sheet over all of it. Head and foot stay; focus stays inside and goes
 * back to what opened it; Esc closes.
 */
export function Drawer({
  title,
  note,
  tools,
  steps,
  footer,
  width = 400,
  focus = 'body',
  onClose,
  children,
}: {
  title: string
  /** Under the title, grey. */
  note?: ReactNode
  tools?: ReactNode
  steps?: DrawerSteps
  footer?: ReactNode
  width?: number
  /** What has the focus at first: the body, to be scrolled; or its first field, where the drawer is a form. */
  focus?: 'body' | 'field'
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const first = focus === 'field' ? ['.drawer-body :is(input:not([type=radio]), select, textarea)', '[data-focus]'] : ['[data-focus]']
  return (
    <Modal className="drawer-frame" style={{ width }} labelledBy={id} focus={first} onClose={onClose}>
      <section className="drawer-box">
        <header>
          <div className="drawer-title">
            <h2 id={id}>{title}</h2>
            {note && <p>{note}</p>}
          </div>
          {tools}
          {steps && (
            <span className="drawer-steps">
              <Button
                look={['ghost', 'square', 'small']}
                icon="left"
                aria-label="上一个"
                disabled={!steps.onPrevious}
                onClick={() => steps.onPrevious?.()}
              />
              <span className="size-12 text-3">{steps.place}</span>
              <Button
                look={['ghost', 'square', 'small']}
                icon="right"
                aria-label="下一个"
                disabled={!steps.onNext}
                onClick={() => steps.onNext?.()}
              />
            </span>
          )}
          <Button look={['ghost', 'square', 'small']} icon="cross" aria-label="关闭" onClick={onClose} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
        <section className="drawer-body" tabIndex={0} data-focus aria-label={title}>
          {children}
        </section>
        {footer && <footer>{footer}</footer>}
      </section>
    </Modal>
  )
}
