import { Icon } from './icon.tsx'
import './steps.css'

export interface Step {
  key: string
  title: string
  note?: string
}

/** The few steps of a form: what is done, where one is, what comes. Done ones lead back where `onGo` is given. */
export function Steps({ steps, now, label, onGo }: { steps: readonly Step[]; now: number; label: string; onGo?: (index: number) => void }) {
  return (
    <ol className="steps" aria-label={label}>
      {steps.map(({ key, title, note }, index) => {
        const state = index < now ? 'past' : index === now ? 'now' : 'ahead'
        const words = (
          <>
            <span className="node">{state === 'past' ? <Icon name="check" size="middle" /> : index + 1}</span>
            <span>
              <b>
                {title}
                {state === 'past' && <span className="hidden-text">（已完成）</span>}
              </b>
              {note && <small>{note}</small>}
            </span>
          </>
        )
        return (
          <li key={key} className={state} aria-current={state === 'now' ? 'step' : undefined}>
            {onGo && state === 'past' ? (
              <button type="button" onClick={() => onGo(index)}>
                {words}
              </button>
            ) : (
              words
            )}
          </li>
        )
      })}
    </ol>
  )
}
