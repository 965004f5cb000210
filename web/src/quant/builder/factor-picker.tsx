import { lazy, Suspense } from 'react'
import type { PickerProps } from './factor-picker-dialog.tsx'

const FactorPickerDialog = lazy(async () => ({ default: (await import('./factor-picker-dialog.tsx')).FactorPickerDialog }))

/** The picker, which comes when it is first opened. */
export const FactorPicker = (props: PickerProps) => (
  <Suspense>
    <FactorPickerDialog {...props} />
  </Suspense>
)
