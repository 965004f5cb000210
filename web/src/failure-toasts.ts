import { onFailure } from './api/failed-calls.ts'
import { toast } from './ui/toast.tsx'

/** 请先验证身份: a dialog asks, and the same call is made again. */
const asksWho = 11013

/** Shows the failures that the catalogue wants as a toast, besides where they happened. */
export const toastFailures = (): (() => void) =>
  onFailure((failure) => {
    if (failure.toast && failure.error.kind !== 'login' && failure.error.code !== asksWho) toast.error(failure.error.message)
  })
