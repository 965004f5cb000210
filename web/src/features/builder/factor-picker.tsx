import { Suspense } from 'react'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import type { PickerProps } from './factor-picker-dialog.tsx'

const FactorPickerDialog = lazyDialog(async () => (await import('./factor-picker-dialog.tsx')).FactorPickerDialog)

/** The picker, which comes when it is first opened. */
export const FactorPicker = (props: PickerProps) => (
  <Suspense>
    <FactorPickerDialog {...props} />
  </Suspense>
)
