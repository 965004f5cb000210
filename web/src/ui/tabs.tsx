import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import './tabs.css'
import { count } from '../base/format.ts'

export interface Tab<K extends string> {
  key: K
  label: string
  /** Behind the label, grey: how many. */
  count?: number
  disabled?: boolean
}

interface Choice<K extends string> {
  label: string
  tabs: readonly Tab<K>[]
  value: K
  onChange: (key: K) => void
}

/** A row of tabs (ARIA APG): one tab stop, ← → move and select, Home and End jump. The caller renders the panel. */
export function TabList<K extends string>({ label, tabs, value, onChange, panel }: Choice<K> & { panel?: string }) {
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
  return (
    <div ref={list} className={panel ? 'tabs in-page' : 'tabs'} role="tablist" aria-label={label} onKeyDown={press}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          {...(panel && { id: `${panel}-${tab.key}`, 'aria-controls': panel })}
          data-key={tab.key}
          aria-selected={tab.key === value}
          tabIndex={tab.key === value ? 0 : -1}
          disabled={tab.disabled}
          onClick={() => onChange(tab.key)}
        >
          {tab.label}
          {tab.count !== undefined && <em>{count(tab.count)}</em>}
        </button>
      ))}
    </div>
  )
}

/** Tabs over one panel. One alone is no choice: only its panel is shown, and keeps what it holds when more come. */
export function Tabs<K extends string>({
  children,
  ...choice
}: Choice<K> & {
  /** The chosen tab's panel. */
  children: ReactNode
}) {
  const panel = useId()
  const several = choice.tabs.length > 1
  return (
    <>
      {several && <TabList {...choice} panel={panel} />}
      <div id={panel} {...(several && { role: 'tabpanel', 'aria-labelledby': `${panel}-${choice.value}` })}>
        {children}
      </div>
    </>
  )
}
