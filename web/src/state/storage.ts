import { leftOut, type Shape } from './shapes.ts'

/** Browser storage that never throws: a private window or a full disk only means that nothing outlives the page. */
export interface KeyValueStore {
  /**
   * What is kept under a key, through its shape; null: nothing that fits. `owner`: somebody made it (the user's id, '' where nobody is
   * logged in), so that what does not fit is set aside under another name, and told.
   */
  read<T>(key: string, shape: Shape<T>, owner?: string): T | null
  /** Keeps the text of a key under another name too. */
  setAside(key: string, owner: string): void
  /** Makes room first where storage is full, and tells what is not kept. */
  write(key: string, value: unknown): void
  remove(key: string): void
  names(): string[]
  /** As it stands there. */
  text(key: string): string | null
}

/** What was set aside of an owner is kept under names that begin so. */
export const asideOf = (owner: string): string => `unread:${owner}:`

/** What can be made again gives way where storage is full. */
const spare = ['lastGrid', 'templateFigures', 'factors:cb', 'factors:stk']

/** Words come when there is something to tell. */
const tell = (what: 'unread' | 'lost', key: string, error?: unknown): void =>
  void import('./storage-told.ts').then((told) => told[what](key, error)).catch(() => {})

const shelf = (open: () => Storage): KeyValueStore => ({
  read(key, shape, owner) {
    const before = leftOut.count
    let read = null
    try {
      const value = JSON.parse(open().getItem(key) ?? 'null')
      read = value === null ? null : shape(value)
      if (leftOut.count === before) return read
    } catch {}
    if (owner !== undefined) this.setAside(key, owner)
    return read
  },
  setAside(key, owner) {
    const text = this.text(key)
    const name = asideOf(owner) + key
    // Nothing is there, or nothing may be read: that is told when something is to be kept.
    if (text === null || this.text(name) === text) return
    try {
      open().setItem(name, text)
      tell('unread', key)
    } catch (error) {
      tell('lost', key, error)
    }
  },
  write(key, value) {
    const keep = () => open().setItem(key, JSON.stringify(value))
    try {
      keep()
    } catch {
      if (spare.includes(key)) return
      try {
        for (const each of spare) open().removeItem(each)
        keep()
      } catch (error) {
        tell('lost', key, error)
      }
    }
  },
  remove(key) {
    try {
      open().removeItem(key)
    } catch {}
  },
  text(key) {
    try {
      return open().getItem(key)
    } catch {
      return null
    }
  },
  names() {
    try {
      const storage = open()
      return Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')
    } catch {
      return []
    }
  },
})

/**
 * Calls `changed` whenever another tab has written what is kept under a key, for as long as this tab lives: what was missed meanwhile would be
 * written over by the next change made here. A page that comes back from the back/forward cache has heard of nothing.
 */
export function onOtherTab(key: string, changed: () => void): void {
  globalThis.window?.addEventListener('storage', ({ key: written }) => {
    if (written === key || written === null) changed()
  })
  globalThis.window?.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) changed()
  })
}

/** Outlives the browser. */
export const local = shelf(() => globalThis.localStorage)
/** Lives as long as the tab. */
export const session = shelf(() => globalThis.sessionStorage)
