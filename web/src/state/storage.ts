/** Browser storage that never throws: a private window or a full disk only means that nothing outlives the page. */
export interface Shelf {
  read<T>(key: string): T | null
  write(key: string, value: unknown): void
  remove(key: string): void
}

const shelf = (open: () => Storage): Shelf => ({
  read<T>(key: string): T | null {
    try {
      const text = open().getItem(key)
      return text === null ? null : (JSON.parse(text) as T)
    } catch {
      return null
    }
  },
  write(key, value) {
    try {
      open().setItem(key, JSON.stringify(value))
    } catch {}
  },
  remove(key) {
    try {
      open().removeItem(key)
    } catch {}
  },
})

/** Outlives the browser. */
export const local = shelf(() => globalThis.localStorage)
/** Lives as long as the tab. */
export const session = shelf(() => globalThis.sessionStorage)
