import { fail } from '../http/fail.ts'

/**
 * Shares answers: equal keys within `ageMs` get one computation. It is stopped when all who wait for it have gone, and forgotten when it
 * failed.
 * @throws Failure 23024 to who has gone already: nothing is begun for them, and nobody would hear them leave
 */
export function shared<T>(ageMs: number, most: number) {
  interface Entry {
    readonly at: number
    readonly value: Promise<T>
    readonly stop: AbortController
    waiting: number
    settled: boolean
  }
  const entries = new Map<string, Entry>()

  return async (key: string, signal: AbortSignal, make: (stop: AbortSignal) => Promise<T>): Promise<T> => {
    if (signal.aborted) fail(23024)
    const now = performance.now()
    for (const [old, { at }] of entries) if (now - at > ageMs || entries.size > most) entries.delete(old)
    let entry = entries.get(key)
    if (!entry) {
      const stop = new AbortController()
      const made: Entry = { at: now, value: make(stop.signal), stop, waiting: 0, settled: false }
      made.value.then(
        () => {
          made.settled = true
        },
        () => {
          if (entries.get(key) === made) entries.delete(key)
        },
      )
      entries.set(key, made)
      entry = made
    }
    const { value, stop } = entry
    const leave = () => {
      if (--entry.waiting > 0 || entry.settled) return
      if (entries.get(key) === entry) entries.delete(key)
      stop.abort()
    }
    entry.waiting++
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await value
    } finally {
      if (!signal.aborted) {
        signal.removeEventListener('abort', leave)
        entry.waiting--
      }
    }
  }
}
