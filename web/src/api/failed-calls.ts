import type { CallError } from './messages.ts'

/** Event of a failed call for the whole app; its caller gets the error too. */
export interface FailedCall {
  error: CallError
  /** The endpoint's path, with its `{places}`. */
  path: string
  /** The catalogue wants it shown as a toast as well. */
  toast: boolean
}

type Listener = (failure: FailedCall) => void
const listeners = new Set<Listener>()

/** Subscribes to all failed calls and streams, as the redirect to the maintenance page does. Returns the unsubscribe function. */
export function onFailure(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notifies the listeners. A call aborted by its caller is not a failure. */
export function tell(failure: FailedCall): void {
  for (const listener of listeners) listener(failure)
}

/** HTTP 503 with 50303: the switch of reliability.md 6.1. */
export const isMaintenance = ({ status, code }: CallError): boolean => status === 503 && code === 50303
