import type { ReactNode } from 'react'
import type { Choice } from '../controls.tsx'
import { type Control, wired } from './control.ts'
import './choices.css'

/** One of few, all of them in sight. */
export function RadioGroup<V extends string | number>({
  value,
  choices,
  onChange,
  ...control
}: Control & { value: V; choices: readonly (Choice<V> & { hint?: string })[]; onChange: (value: V) => void }) {
  const { id, describedBy, required, disabled, onBlur } = control
  const name = control.name ?? id ?? control.label
  return (
    <div
      className="radios"
      role="radiogroup"
      id={id}
      aria-label={control.label}
      aria-describedby={describedBy}
      aria-required={required || undefined}
    >
      {choices.map((choice) => (
        <label key={choice.value} className="radio">
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            disabled={disabled || choice.disabled || undefined}
            onBlur={onBlur}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.hint && <small>{choice.hint}</small>}
          </span>
        </label>
      ))}
    </div>
  )
}

/** On or off, at once: nothing has to be saved. */
export function Switch({
  value,
  onChange,
  children,
  ...control
}: Control & { value: boolean; onChange: (value: boolean) => void; children?: ReactNode }) {
  return (
    <label className="switch">
      <input
        {...wired(control)}
        type="checkbox"
        role="switch"
        aria-checked={value}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  )
}

/** A number felt more than read; the number itself stands behind it. */
export function Slider({
  value,
  onChange,
  min,
  max,
  step = 1,
  words = String,
  ...control
}: Control & {
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  step?: number
  words?: (value: number) => string
}) {
  const share = `${((value - min) / (max - min)) * 100}%`
  return (
    <span className="slider">
      <input
        {...wired(control)}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        style={{ '--share': share } as React.CSSProperties}
        aria-valuetext={words(value)}
        onChange={(event) => onChange(Number(event.currentTarget.value))}
      />
      <output>{words(value)}</output>
    </span>
  )
}
