import { useId } from 'react'
import { Button } from '../button.tsx'
import { Modal } from './modal.tsx'
import type { Question } from './queue.ts'
import './dialog.css'

/** Nothing is lost by a wrong key: 取消 has the focus, and Esc or a click beside is 取消. */
export function ConfirmDialog({ title, text, action, icon = 'cross', onAnswer }: Question & { onAnswer: (yes: boolean) => void }) {
  const id = useId()
  return (
    <Modal
      className="dialog question"
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      focus={['[data-focus]']}
      onClose={() => onAnswer(false)}
    >
      <div className="dialog-box">
        <h2 id={`${id}-title`}>{title}</h2>
        <p id={`${id}-text`}>{text}</p>
        <div className="question-answers">
          <Button look={['destructive']} icon={icon} onClick={() => onAnswer(true)}>
            {action}
          </Button>
          <Button data-focus onClick={() => onAnswer(false)}>
            取消
          </Button>
        </div>
      </div>
    </Modal>
  )
}
