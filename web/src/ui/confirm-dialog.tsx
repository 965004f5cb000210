import { useId } from 'react'
import { Button } from './button.tsx'
import type { IconName } from './icon.tsx'
import { useModal } from './use-modal.ts'
import './dialog.css'

export interface Question {
  /** Names the object: `删除策略「双低-10只」？` */
  title: string
  /** What follows: `删除后不可恢复。` */
  text: string
  /** The button's word: 删除. */
  action: string
  icon?: IconName
}

/** Nothing is lost by a wrong key: 取消 has the focus, and Esc or a click beside is 取消. */
export function ConfirmDialog({ title, text, action, icon = 'cross', onAnswer }: Question & { onAnswer: (yes: boolean) => void }) {
  const id = useId()
  const modal = useModal(() => onAnswer(false), '[data-focus]')
  return (
    <dialog {...modal} className="dialog question" role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
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
    </dialog>
  )
}
