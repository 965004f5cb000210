import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import './tabs.css'
import { count } from './format.ts'

export interface Tab<K extends string> {
  key: K
  label: string
  /** Behind the label, grey: how many. */
  count?: number
  disabled?: boolean
}

/**
 * Tabs over one panel (ARIA APG): one stop of the keyboard, ← → walk and choose, Home and End jump. One alone is no choice: only its
 * panel is shown, and keeps what it holds when more come.
 */
export function Tabs<K extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  label: string
  tabs: readonly Tab<K>[]
  value: K
  onChange: (key: K) => void
  /** The chosen tab's panel. */
  children: ReactNode
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const press = (event: KeyboardEvent) => {
    const open = tabs.filter((tab) => !tab.disabled)
    const at = open.findIndex((tab) => tab.key === value)
    const places: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: open.length - 1 }
    const place = places[event.key]
    const next = place === undefined ? undefined : open[(place + open.length) % open.length]
    if (!next) return
    event.preventDefault()
    onChange(next.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
  }
  const choice = tabs.length > 1
  return (
    <>
      {choice && (
        <div ref={list} className="tabs in-page" role="tablist" aria-label={label} onKeyDown={press}>
          {tabs.map((tab) => (
            <button
              key={tab.key}
              type="button"
              role="tab"
              id={`${id}-${tab.key}`}
              data-key={tab.key}
              aria-selected={tab.key === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.key === value ? 0 : -1}
              disabled={tab.disabled}
              onClick={() => onChange(tab.key)}
            >
              {tab.label}
              {tab.count !== undefined && <em>{count(tab.count)}</em>}
            </button>
          ))}
        </div>
      )}
      <div id={`${id}-panel`} {...(choice && { role: 'tabpanel', 'aria-labelledby': `${id}-${value}` })}>
        {children}
      </div>
    </>
  )
}
