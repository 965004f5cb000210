import { type ReactNode, useId } from 'react'
import { usePreferences } from '../state/preferences.ts'
import { Icon } from './icon.tsx'
import './section.css'

/** A part of a panel that folds; whether it is folded outlives the page (`preference:collapsedSettings`). */
export function Section({
  name,
  number,
  title,
  note,
  result,
  folded: foldedAtFirst = false,
  wrong = false,
  children,
}: {
  /** Its key in the preference. */
  name: string
  number: number
  title: string
  note?: string
  /** At the right of its head: a count, or what it says while folded. */
  result?: ReactNode
  folded?: boolean
  /** Something inside is wrong: the mark stays visible while folded. */
  wrong?: boolean
  children: ReactNode
}) {
  const { collapsedSettings, collapse } = usePreferences()
  const folded = collapsedSettings[name] ?? foldedAtFirst
  const id = useId()
  return (
    <section className="section">
      <button type="button" className="section-head" aria-expanded={!folded} aria-controls={id} onClick={() => collapse(name, !folded)}>
        <Icon name={folded ? 'right' : 'down'} size="small" />
        <b>{number}</b>
        <span>
          {title}
          {note && <small>{note}</small>}
        </span>
        {wrong && folded && (
          <span className="danger">
            <Icon name="warn" size="middle" />
          </span>
        )}
        <em>{result}</em>
      </button>
      {!folded && (
        <div className="section-body" id={id}>
          {children}
        </div>
      )}
    </section>
  )
}
