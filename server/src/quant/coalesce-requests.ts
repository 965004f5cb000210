import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'

/**
 * Coalesces requests (singleflight with a short cache): equal keys within `ageMs` share one computation. It is stopped when all its waiters have
 * gone, and forgotten when it failed. `isOwn`: an error of the first caller alone; the others compute again.
 * @throws ApiError 23024 for a caller that has gone already: nothing is begun for it, since its leaving would not be noticed
 */
export function coalesceRequests<T>(ageMs: number, most: number, isOwn: (error: unknown) => boolean = () => false) {
  interface Entry {
    readonly at: number
    readonly value: Promise<T>
    readonly stop: AbortController
    waiting: number
    settled: boolean
  }
  const entries = new Map<string, Entry>()

  const begin = (key: string, make: (stop: AbortSignal) => Promise<T>): Entry => {
    const stop = new AbortController()
    const made: Entry = { at: performance.now(), value: make(stop.signal), stop, waiting: 0, settled: false }
    made.value.then(
      () => {
        made.settled = true
      },
      () => {
        if (entries.get(key) === made) entries.delete(key)
      },
    )
    entries.set(key, made)
    return made
  }

  return async (key: string, signal: AbortSignal, make: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    for (;;) {
      if (signal.aborted) throwApiError(errorCodes.cancelled)
      const now = performance.now()
      for (const [old, { at }] of entries) if (now - at > ageMs || entries.size > most) entries.delete(old)
      const found = entries.get(key)
      const entry = found ?? begin(key, make)
      const leave = () => {
        if (--entry.waiting > 0 || entry.settled) return
        if (entries.get(key) === entry) entries.delete(key)
        entry.stop.abort()
      }
      entry.waiting++
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await entry.value
      } catch (error) {
        if (!found || !isOwn(error)) throw error
      } finally {
        if (!signal.aborted) {
          signal.removeEventListener('abort', leave)
          entry.waiting--
        }
      }
    }
  }
}
