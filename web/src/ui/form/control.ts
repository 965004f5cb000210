/** What a control is given by the row around it: how the label, the hint and the message find it. */
export interface Control {
  id?: string | undefined
  /** In a form: the field's name, by which the first wrong one is focused. */
  name?: string | undefined
  /** For the reader where no label stands beside it. */
  label?: string | undefined
  /** The id of the label beside it. */
  labelledBy?: string | undefined
  describedBy?: string | undefined
  invalid?: boolean | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  onBlur?: (() => void) | undefined
}

/** The same as attributes of an input. */
export const wired = ({ id, name, label, describedBy, invalid, required, disabled, onBlur }: Control) => ({
  id,
  name,
  'aria-label': label,
  'aria-describedby': describedBy,
  'aria-invalid': invalid || undefined,
  'aria-required': required || undefined,
  disabled: disabled || undefined,
  onBlur,
})

/** The look of the box around an input. */
export const fieldClass = (kind: string, { invalid, disabled }: Pick<Control, 'invalid' | 'disabled'>): string =>
  ['field', kind, invalid && 'invalid', disabled && 'off'].filter(Boolean).join(' ')
