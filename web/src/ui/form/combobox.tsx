import { lateOverlay } from '../late-overlay.tsx'
import { fetchCombobox } from '../overlay/late-parts.ts'
import type { Combobox as Field } from './combobox-field.tsx'
import { FieldShell } from './field-shell.tsx'

/** A late part has lost its type parameter: the cast gives it back. */
export const Combobox = lateOverlay(fetchCombobox, ComboboxShell, ComboboxShell) as typeof Field

function ComboboxShell({ value, options, placeholder = '输入代码、名称或拼音', ...rest }: Parameters<typeof Field>[0]) {
  const chosen = options.find((option) => option.value === value)
  return <FieldShell {...rest} kind="text combobox" words={chosen?.label} placeholder={placeholder} />
}
