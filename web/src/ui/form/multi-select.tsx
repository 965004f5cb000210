import { lateOverlay } from '../late-overlay.tsx'
import { fetchMultiSelect } from '../overlay/late-parts.ts'
import { FieldShell } from './field-shell.tsx'
import type { MultiSelect as Field } from './multi-select-field.tsx'

/** A late part has lost its type parameter: the cast gives it back. */
export const MultiSelect = lateOverlay(fetchMultiSelect, MultiSelectShell, MultiSelectShell) as typeof Field

function MultiSelectShell({ value, options, placeholder = '请选择', ...rest }: Parameters<typeof Field>[0]) {
  const words = options.filter((option) => value.includes(option.value)).map(({ label }) => label)
  return <FieldShell {...rest} kind="text combobox" words={words.join('、')} placeholder={placeholder} />
}
