import { useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import type { Question } from './confirm.tsx'
import './dialog.css'

/** Nothing is lost by a wrong key: 取消 has the focus, and Esc is 取消. */
export function ConfirmDialog({ title, text, action, icon = 'cross', onAnswer }: Question & { onAnswer: (yes: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const no = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    no.current?.focus()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog question"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault()
        onAnswer(false)
      }}
    >
      <div className="dialog-box">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-text`}>{text}</p>
        <div className="question-answers">
          <Button look={['destructive']} icon={icon} onClick={() => onAnswer(true)}>
            {action}
          </Button>
          <Button ref={no} onClick={() => onAnswer(false)}>
            取消
          </Button>
        </div>
      </div>
    </dialog>
  )
}
