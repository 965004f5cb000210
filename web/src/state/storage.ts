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

/**
 * Calls `changed` whenever another tab has written what is kept under a key, for as long as this tab lives: what was missed meanwhile would be
 * written over by the next change made here.
 */
export const onOtherTab = (key: string, changed: () => void): void =>
  globalThis.window?.addEventListener('storage', ({ key: written }) => {
    if (written === key || written === null) changed()
  })

/** Outlives the browser. */
export const local = shelf(() => globalThis.localStorage)
/** Lives as long as the tab. */
export const session = shelf(() => globalThis.sessionStorage)
