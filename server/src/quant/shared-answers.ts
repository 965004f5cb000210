import { fail } from '../http/fail.ts'

/**
 * Shares answers: equal keys within `ageMs` get one computation. It is stopped when all who wait for it have gone, and forgotten when it
 * failed. `isOwn`: a failure of whoever began it, and of nobody else; the others ask anew.
 * @throws Failure 23024 to who has gone already: nothing is begun for them, and nobody would hear them leave
 */
export function shared<T>(ageMs: number, most: number, isOwn: (error: unknown) => boolean = () => false) {
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
      if (signal.aborted) fail(23024)
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
