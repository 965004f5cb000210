import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { Icon } from '../icon.tsx'
import { type Control, fieldClass, wired } from './control.ts'
import { useFloating } from './floating.ts'
import { found, nextActive, type Option } from './list-keys.ts'
import './option-list.css'
import './form.css'

/** One of many, found by typing (ARIA APG: editable combobox with a list). What is typed and not chosen is put back on leaving. */
export function Combobox<V extends string | number>({
  value,
  options,
  onChange,
  placeholder = '输入代码、名称或拼音',
  width,
  ...control
}: Control & {
  value: V | null
  options: readonly Option<V>[]
  onChange: (value: V | null) => void
  placeholder?: string
  width?: number
}) {
  const chosen = options.find((option) => option.value === value)
  const [text, setText] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const box = useRef<HTMLSpanElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const listId = useId()
  const shown = open ? found(options, text ?? '') : []
  useFloating(open, box, list)

  const close = () => {
    setOpen(false)
    setText(null)
    setActive(-1)
  }
  const choose = (option: Option<V> | undefined) => {
    if (!option) return
    onChange(option.value)
    close()
  }
  const move = (next: number) => {
    setActive(next)
    requestAnimationFrame(() => list.current?.children[next]?.scrollIntoView({ block: 'nearest' }))
  }
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Escape' && open) {
      // The dialog around it stays open.
      event.preventDefault()
      event.stopPropagation()
      return close()
    }
    if (event.key === 'Enter' && open && active >= 0) {
      event.preventDefault()
      return choose(shown[active])
    }
    if (event.key === 'Home' || event.key === 'End') return
    const all = open ? shown : found(options, text ?? '')
    const next = nextActive(event.key, active, all.length)
    if (next === null) return
    event.preventDefault()
    setOpen(true)
    move(next)
  }
  return (
    <span ref={box} className={fieldClass('text combobox', control)} style={{ width }}>
      <input
        {...wired(control)}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text ?? chosen?.label ?? ''}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setOpen(true)
          setActive(event.currentTarget.value.trim() === '' ? -1 : 0)
          if (event.currentTarget.value === '') onChange(null)
        }}
        onKeyDown={press}
        onBlur={() => {
          close()
          control.onBlur?.()
        }}
      />
      {text === null && chosen?.note && <span className="mono text-3">{chosen.note}</span>}
      <Icon name="down" size="small" />
      <div ref={list} id={listId} className="option-list" role="listbox" aria-label={control.label ?? '选项'} popover="manual">
        {shown.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the input (aria-activedescendant)
          <div
            key={option.value}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={option.value === value}
            className={index === active ? 'active' : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onPointerMove={() => setActive(index)}
            onClick={() => choose(option)}
          >
            <span>{option.label}</span>
            {option.note && <small className="mono">{option.note}</small>}
          </div>
        ))}
        {open && shown.length === 0 && (
          <div className="none" role="option" aria-selected="false" aria-disabled="true" tabIndex={-1}>
            没有符合的选项
          </div>
        )}
      </div>
    </span>
  )
}
