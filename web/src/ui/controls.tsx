import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { isComposing } from '../base/composing.ts'
import { plain } from '../base/format.ts'
import { readNumber } from '../base/read-number.ts'
import { type Control, fieldClass, wired } from './form/control.ts'
import { Icon } from './icon.tsx'
import { Row } from './layout.tsx'

export function Checkbox({
  checked,
  onChange,
  children,
  ...control
}: Control & {
  checked: boolean
  onChange: (checked: boolean) => void
  children?: ReactNode
}) {
  return (
    <label className="checkbox">
      <input {...wired(control)} type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
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
  width,
  ...control
}: Control & {
  value: V
  choices: readonly Choice<V>[]
  onChange: (value: V) => void
  width?: number | 'fill'
}) {
  const index = choices.findIndex((choice) => choice.value === value)
  return (
    <span className={fieldClass('choice', control)} style={width === 'fill' ? { flex: 1, minWidth: 0 } : { width }}>
      <select
        {...wired(control)}
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
 * A number as text; `scale` shows a fraction as per cent. An empty box passes null, one that cannot be read NaN and keeps what was
 * typed: a form says what is wrong there instead of sending the number that stood there before.
 */
export function NumberField({
  value,
  onChange,
  unit,
  before,
  width = 48,
  scale = 1,
  placeholder,
  step,
  ...control
}: Control & {
  value: number | null
  onChange: (value: number | null) => void
  unit?: ReactNode
  before?: ReactNode
  /** Pixels, or a length. */
  width?: number | string
  scale?: number
  placeholder?: string
  /** ↑ ↓ and two small buttons change it by as much, within the bounds; in shown units. */
  step?: { by: number; min?: number; max?: number }
}) {
  const [text, setText] = useState(() => plain(value === null ? null : value * scale))
  const [editing, setEditing] = useState(false)
  const read = (typed: string) => readNumber(typed, typeof unit === 'string' ? unit : '')
  const unread = Number.isNaN(read(text))
  const shown = value === null ? '' : Number.isNaN(value) && unread ? text : plain(value * scale)
  useEffect(() => {
    if (!editing) setText(shown)
  }, [shown, editing])
  const type = (typed: string) => {
    setText(typed)
    const number = read(typed)
    onChange(number === null ? null : Number((number / scale).toPrecision(12)))
  }
  const go = (direction: 1 | -1) => {
    if (!step) return
    const { by, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = step
    const next = Math.min(max, Math.max(min, Number(((value || 0) * scale + direction * by).toPrecision(12))))
    setText(plain(next))
    onChange(Number((next / scale).toPrecision(12)))
  }
  const invalid = control.invalid || unread
  return (
    <span className={fieldClass('numeric', { ...control, invalid })} style={{ width }}>
      {before && <span className="unit">{before}</span>}
      <input
        {...wired({ ...control, invalid })}
        inputMode="decimal"
        autoComplete="off"
        value={editing ? text : shown}
        placeholder={placeholder}
        onFocus={(event) => {
          setText(shown)
          setEditing(true)
          event.currentTarget.select()
        }}
        onBlur={() => {
          setEditing(false)
          control.onBlur?.()
        }}
        onKeyDown={(event) => {
          if (!step || isComposing(event.nativeEvent) || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          go(event.key === 'ArrowUp' ? 1 : -1)
        }}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {unit && <span className="unit">{unit}</span>}
      {step && (
        // The arrows of the keyboard do the same: the buttons are for the mouse alone.
        <span className="stepper" aria-hidden="true">
          <button type="button" tabIndex={-1} disabled={control.disabled} onClick={() => go(1)}>
            <Icon name="plus" size="small" />
          </button>
          <button type="button" tabIndex={-1} disabled={control.disabled} onClick={() => go(-1)}>
            <Icon name="minus" size="small" />
          </button>
        </span>
      )}
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

/** Fields and buttons that act on what stands below them; for a finger as high as one. With a `label` they are a group with that name. */
export const Toolbar = ({ label, className = '', ...own }: Omit<ComponentProps<typeof Row<'div'>>, 'as'> & { label?: string }) => (
  <Row gap={8} {...own} role={label === undefined ? undefined : 'group'} aria-label={label} className={`toolbar ${className}`.trim()} />
)
