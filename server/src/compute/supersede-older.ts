/** Of works under the same key only the newest goes on: the one before it is aborted, whichever api started it. */
export function supersedeOlder() {
  const newest = new Map<string, AbortController>()
  return async <T>(words: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    newest.get(words)?.abort()
    const own = new AbortController()
    newest.set(words, own)
    try {
      return await work(AbortSignal.any([signal, own.signal]))
    } finally {
      if (newest.get(words) === own) newest.delete(words)
    }
  }
}
