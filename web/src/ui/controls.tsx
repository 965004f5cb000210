import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isDate } from './dates.ts'
import { plain } from './format.ts'
import { Icon } from './icon.tsx'

export function Checkbox({
  checked,
  onChange,
  children,
  label,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children?: ReactNode
  /** For the reader where there is no text beside it. */
  label?: string
}) {
  return (
    <label className="checkbox">
      <input type="checkbox" checked={checked} aria-label={label} onChange={(event) => onChange(event.currentTarget.checked)} />
      {children}
    </label>
  )
}

export interface Choice<V extends string | number> {
  value: V
  label: string
  disabled?: boolean
}

/** A native select in our look. */
export function Select<V extends string | number>({
  value,
  choices,
  onChange,
  label,
  width,
}: {
  value: V
  choices: readonly Choice<V>[]
  onChange: (value: V) => void
  label: string
  width?: number | 'fill'
}) {
  const index = choices.findIndex((choice) => choice.value === value)
  return (
    <span className="field choice" style={width === 'fill' ? { flex: 1, minWidth: 0 } : { width }}>
      <select
        aria-label={label}
        value={index}
        onChange={(event) => {
          const chosen = choices[Number(event.currentTarget.value)]
          if (chosen) onChange(chosen.value)
        }}
      >
        {index < 0 && <option value={-1}>{String(value)}</option>}
        {choices.map((choice, i) => (
          <option key={choice.value} value={i} disabled={choice.disabled ?? false}>
            {choice.label}
          </option>
        ))}
      </select>
      <Icon name="down" size="small" />
    </span>
  )
}

/**
 * A number as text: what cannot be read stays in the box and is not passed on, `scale` shows a fraction as per cent.
 * An empty box passes null.
 */
export function NumberField({
  value,
  onChange,
  label,
  unit,
  before,
  width = 48,
  scale = 1,
  invalid = false,
  describedBy,
  placeholder,
}: {
  value: number | null
  onChange: (value: number | null) => void
  label: string
  unit?: ReactNode
  before?: ReactNode
  width?: number
  scale?: number
  invalid?: boolean
  describedBy?: string | undefined
  placeholder?: string
}) {
  const shown = value === null ? '' : plain(value * scale)
  const [text, setText] = useState(shown)
  const [editing, setEditing] = useState(false)
  useEffect(() => {
    if (!editing) setText(shown)
  }, [shown, editing])
  const type = (typed: string) => {
    setText(typed)
    const clean = typed.trim().replace('−', '-').replace('。', '.')
    if (clean === '') return onChange(null)
    const number = Number(clean)
    if (Number.isFinite(number)) onChange(Number((number / scale).toPrecision(12)))
  }
  const unread = text.trim() !== '' && !Number.isFinite(Number(text.trim().replace('−', '-').replace('。', '.')))
  return (
    <span className={`field numeric${invalid || unread ? ' invalid' : ''}`} style={{ width }}>
      {before && <span className="unit">{before}</span>}
      <input
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={invalid || unread}
        aria-describedby={describedBy}
        value={editing ? text : shown}
        placeholder={placeholder}
        onFocus={(event) => {
          setText(shown)
          setEditing(true)
          event.currentTarget.select()
        }}
        onBlur={() => setEditing(false)}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {unit && <span className="unit">{unit}</span>}
    </span>
  )
}

/** A date typed as `2026-11-20`, or picked from the browser's own calendar. */
export function DateField({
  value,
  onChange,
  label,
  min,
  max,
  invalid = false,
}: {
  value: string
  onChange: (value: string) => void
  label: string
  min?: string | undefined
  max?: string | undefined
  invalid?: boolean
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const picker = useRef<HTMLInputElement>(null)
  const unread = typed !== null && !isDate(typed)
  return (
    <span className={`field date${invalid || unread ? ' invalid' : ''}`}>
      <input
        aria-label={label}
        aria-invalid={invalid || unread}
        autoComplete="off"
        placeholder="2026-01-01"
        value={typed ?? value}
        onFocus={() => setTyped(value)}
        onBlur={() => setTyped(null)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          if (isDate(currentTarget.value)) onChange(currentTarget.value)
        }}
      />
      <input
        ref={picker}
        className="date-picker"
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        min={min}
        max={max}
        onChange={({ currentTarget }) => currentTarget.value && onChange(currentTarget.value)}
      />
      <button type="button" tabIndex={-1} aria-label={`选择${label}`} onClick={() => picker.current?.showPicker()}>
        <Icon name="calendar" size="middle" />
      </button>
    </span>
  )
}

export function Segmented<V extends string | number>({
  value,
  choices,
  onChange,
  label,
}: {
  value: V | null
  choices: readonly Choice<V>[]
  onChange: (value: V) => void
  label: string
}) {
  return (
    <fieldset className="segmented" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          disabled={choice.disabled ?? false}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}
