import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from '../field-error.tsx'
import { Icon } from '../icon.tsx'
import type { Control } from './control.ts'
import './form.css'

/** A form: rows with labels beside them (tools, 28 px) or above them (accounts, 40 px). */
export function Form({ look = 'beside', children, ...rest }: ComponentProps<'form'> & { look?: 'beside' | 'above' }) {
  return (
    <form className={`form ${look}`} {...rest}>
      {children}
    </form>
  )
}

/**
 * One row: label, control, unit, hint, and under it the message. The child draws the control with what it is given.
 * @example <FormRow label="策略名称" message={form.message('name')}>{(control) => <TextField {...control} {...form.bind('name')} />}</FormRow>
 */
export function FormRow({
  label,
  note,
  unit,
  hint,
  done,
  message,
  required = false,
  off,
  group = false,
  children,
}: {
  label: string
  /** Beside the label, grey: a unit, 选填. */
  note?: string
  unit?: string
  hint?: ReactNode
  /** Something went well: said in place of the hint. */
  done?: ReactNode
  message?: string | null
  required?: boolean
  /** Why it cannot be changed now, and when it can again. */
  off?: string | undefined
  /** The control is several inputs: the label names the group. */
  group?: boolean
  children: (control: Control) => ReactNode
}) {
  const id = useId()
  const labelId = `${id}-label`
  const said = [message && `${id}-message`, (hint || off || done) && `${id}-hint`].filter(Boolean).join(' ')
  const control: Control = {
    id,
    labelledBy: labelId,
    describedBy: said || undefined,
    invalid: Boolean(message),
    required,
    disabled: off !== undefined,
  }
  const words = (
    <>
      {label}
      {note && <small>{note}</small>}
    </>
  )
  const body = (
    <>
      <div className="form-control">
        {children(control)}
        {unit && <span className="form-unit">{unit}</span>}
      </div>
      <FieldError id={`${id}-message`}>{message}</FieldError>
      {off ? (
        <p className="form-hint" id={`${id}-hint`}>
          <Icon name="lock" size="middle" />
          {off}
        </p>
      ) : done ? (
        <p className="form-hint done" id={`${id}-hint`} role="status">
          <Icon name="check" size="middle" />
          {done}
        </p>
      ) : (
        hint && (
          <div className="form-hint" id={`${id}-hint`}>
            {hint}
          </div>
        )
      )}
    </>
  )
  if (group)
    return (
      <fieldset className="form-row" aria-labelledby={labelId} aria-describedby={said || undefined}>
        <span className="form-label" id={labelId}>
          {words}
        </span>
        <div className="form-body">{body}</div>
      </fieldset>
    )
  return (
    <div className="form-row">
      <label className="form-label" htmlFor={id} id={labelId}>
        {words}
      </label>
      <div className="form-body">{body}</div>
    </div>
  )
}
