import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
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
  const sheet = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = sheet.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a tap beside the sheet closes it; the keyboard has Esc
    <dialog
      ref={sheet}
      className={full ? 'sheet full' : 'sheet'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === sheet.current && onClose()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button look={['ghost', 'square']} icon="cross" aria-label="关闭" onClick={onClose} />
      </header>
      <div className="sheet-body">{children}</div>
    </dialog>
  )
}
