/**
 * Memoizes reads of snapshots, which never change. Keeps the newest `most`; a read that fails is tried again by the next call.
 */
export function memoizeRead<T>(most: number): (folder: string, read: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key, read) => {
    const found = known.get(key) ?? read()
    // Re-inserted: the newest stay.
    known.delete(key)
    known.set(key, found)
    for (const old of [...known.keys()].slice(0, Math.max(0, known.size - most))) known.delete(old)
    found.catch(() => known.delete(key))
    return found
  }
}
