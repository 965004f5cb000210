import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { type Control, fieldClass, wired } from './control.ts'
import { useFloating } from './floating.ts'
import { nextActive, type Option, withChosen } from './list-keys.ts'
import './option-list.css'

/**
 * Several of a few (ARIA APG: select-only combobox over a multi-selectable list). Space and Enter tick; the list stays open. What was chosen
 * and is not offered any more stands behind the others: it counts until somebody takes it out.
 */
export function MultiSelect<V extends string | number>({
  value,
  options: offered,
  onChange,
  placeholder = '请选择',
  width,
  ...control
}: Control & {
  value: readonly V[]
  options: readonly Option<V>[]
  onChange: (value: V[]) => void
  placeholder?: string
  width?: number
}) {
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const root = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  useFloating(open, root, list)
  const options = withChosen(offered, value)
  useEffect(() => {
    if (!open) return
    const away = (event: Event) => !root.current?.contains(event.target as Node) && setOpen(false)
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])

  const toggle = (option: Option<V> | undefined) => {
    if (!option) return
    const rest = value.filter((one) => one !== option.value)
    // In the order of the list, whatever the order of ticking.
    onChange(
      rest.length < value.length ? rest : options.map((one) => one.value).filter((one) => one === option.value || value.includes(one)),
    )
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      event.preventDefault()
      event.stopPropagation()
      return setOpen(false)
    }
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      return open ? toggle(options[active]) : setOpen(true)
    }
    const next = nextActive(event.key, active, options.length)
    if (next === null) return
    event.preventDefault()
    setOpen(true)
    setActive(next)
    requestAnimationFrame(() => list.current?.children[next]?.scrollIntoView({ block: 'nearest' }))
  }
  const chosen = options.filter((option) => value.includes(option.value))
  return (
    <span ref={root} className={fieldClass('multi', control)} style={{ width }}>
      <button
        type="button"
        {...wired(control)}
        role="combobox"
        aria-expanded={open}
        aria-haspopup="listbox"
        aria-controls={listId}
        aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
        onClick={() => setOpen(!open)}
        onKeyDown={press}
        onBlur={() => {
          setOpen(false)
          control.onBlur?.()
        }}
      >
        {chosen.length === 0 ? <span className="text-3">{placeholder}</span> : <span>{chosen.map(({ label }) => label).join('、')}</span>}
        {chosen.length > 1 && <em>{chosen.length}</em>}
        <Icon name="down" size="small" />
      </button>
      <div
        ref={list}
        id={listId}
        className="option-list"
        role="listbox"
        aria-label={control.label ?? '选项'}
        aria-multiselectable="true"
        popover="manual"
      >
        {open &&
          options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays on the button (aria-activedescendant)
            <div
              key={option.value}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={value.includes(option.value)}
              className={index === active ? 'active' : undefined}
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => setActive(index)}
              onClick={() => toggle(option)}
            >
              <span className="tick" aria-hidden="true">
                {value.includes(option.value) && <Icon name="check" size="small" />}
              </span>
              <span>{option.label}</span>
              {option.note && <small className="mono">{option.note}</small>}
            </div>
          ))}
      </div>
    </span>
  )
}
