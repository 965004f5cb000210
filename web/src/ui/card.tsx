import { type ReactNode, useId } from 'react'
import { usePreferences } from '../state/preferences.ts'
import { Button } from './button.tsx'
import { type CardState, holdsContent, StateBody, StateStrip } from './card-state.tsx'
import './card.css'

/**
 * A card: title with its terms in grey and tools, body, a sentence at the foot. Whatever state its content is in stays inside it.
 * With `fold` it can be closed, and stays so (`preference:collapsedSettings`).
 */
export function Card({
  title,
  note,
  tools,
  foot,
  fold,
  state = ready,
  bare = false,
  className,
  children,
}: {
  title: string
  note?: ReactNode
  tools?: ReactNode
  foot?: ReactNode
  /** Its key in the preference. */
  fold?: string
  state?: CardState
  /** The content goes to the edges: a table. */
  bare?: boolean
  className?: string
  children?: ReactNode
}) {
  const { collapsedSettings, collapse } = usePreferences()
  const folded = fold !== undefined && (collapsedSettings[fold] ?? false)
  const id = useId()
  const waiting = state.kind === 'loading' || state.kind === 'refreshing'
  return (
    <section className={['card', className].filter(Boolean).join(' ')} aria-labelledby={`${id}-title`} aria-busy={waiting}>
      <header>
        {fold !== undefined && (
          <Button
            look={['ghost', 'square', 'fold']}
            icon={folded ? 'right' : 'down'}
            aria-expanded={!folded}
            aria-controls={id}
            aria-label={folded ? `展开${title}` : `收起${title}`}
            onClick={() => collapse(fold, !folded)}
          />
        )}
        <h2 id={`${id}-title`}>{title}</h2>
        {note && <span className="text-3 card-note">{note}</span>}
        <span className="grow" />
        {tools}
      </header>
      {!folded && (
        <div className="card-content" id={id}>
          <StateStrip state={state} />
          {holdsContent(state) && (
            <div
              className={[bare ? undefined : 'body', state.kind === 'stale' || state.kind === 'refreshing' ? 'stale' : undefined]
                .filter(Boolean)
                .join(' ')}
            >
              {children}
            </div>
          )}
          <StateBody state={state} />
        </div>
      )}
      {foot && !folded && <div className="foot">{foot}</div>}
    </section>
  )
}

const ready: CardState = { kind: 'ready' }
