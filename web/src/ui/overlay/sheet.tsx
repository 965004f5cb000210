import { type ReactNode, useId } from 'react'
import { Button } from '../button.tsx'
import { Modal } from './modal.tsx'
import './sheet.css'

/** A modal that comes from the phone's lower edge; `full` takes all of its height. */
export function Sheet({
  title,
  onClose,
  children,
  full = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  full?: boolean
}) {
  const id = useId()
  return (
    <Modal className={full ? 'sheet full' : 'sheet'} labelledBy={id} onClose={onClose}>
      <div className="sheet-head">
        <h2 id={id}>{title}</h2>
        <Button look={['ghost', 'square']} icon="cross" aria-label="关闭" onClick={onClose} />
      </div>
      <div className="sheet-body">{children}</div>
    </Modal>
  )
}
