import { toast } from '../ui/toast.tsx'
import { onFailure } from './failures.ts'

/** Shows the failures that the catalogue wants as a toast, besides where they happened. */
export const toastFailures = (): (() => void) =>
  onFailure((failure) => {
    if (failure.toast && failure.error.kind !== 'login') toast.error(failure.error.message)
  })
