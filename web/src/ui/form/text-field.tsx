import type { HTMLInputAutoCompleteAttribute, ReactNode } from 'react'
import { type Control, fieldClass, wired } from './control.ts'
import './form.css'

/** One line of text. While an input method composes, what is typed is passed on as it stands: rules wait for the blur. */
export function TextField({
  value,
  onChange,
  type = 'text',
  inputMode,
  autoComplete = 'off',
  placeholder,
  width,
  after,
  autoFocus,
  ...control
}: Control & {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'email' | 'tel' | 'search'
  inputMode?: 'text' | 'email' | 'tel' | 'numeric'
  autoComplete?: HTMLInputAutoCompleteAttribute
  placeholder?: string
  width?: number
  after?: ReactNode
  autoFocus?: boolean
}) {
  return (
    <span className={fieldClass('text', control)} style={{ width }}>
      <input
        {...wired(control)}
        type={type}
        // biome-ignore lint/a11y/noAutofocus: for pages that are one form and nothing else
        autoFocus={autoFocus}
        inputMode={inputMode}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {after}
    </span>
  )
}

/** Several lines with a counter. The limit is said, not enforced: a hard one breaks input methods and pasting. */
export function TextArea({
  value,
  onChange,
  most,
  rows = 3,
  placeholder,
  ...control
}: Control & { value: string; onChange: (value: string) => void; most: number; rows?: number; placeholder?: string }) {
  const length = [...value].length
  return (
    <span className={fieldClass('area', control)}>
      <textarea
        {...wired(control)}
        rows={rows}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <span className={length > most ? 'counter danger' : 'counter'} aria-hidden="true">
        {length} / {most}
      </span>
    </span>
  )
}
