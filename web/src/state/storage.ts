import { leftOut, type Shape } from './shapes.ts'

/** Browser storage that never throws: a private window or a full disk only means that nothing outlives the page. */
export interface KeyValueStore {
  /**
   * The value of a key, parsed by its shape; null: nothing that fits. `owner`: it is a user's work (the user's id, '' without a login),
   * so that a value that does not fit is set aside under another name and reported.
   */
  read<T>(key: string, shape: Shape<T>, owner?: string): T | null
  /** Copies the text of a key to another name. */
  setAside(key: string, owner: string): void
  /** Removes recomputable values where storage is full, and reports a value that could not be stored. */
  write(key: string, value: unknown): void
  remove(key: string): void
  names(): string[]
  /** The stored text, unparsed. */
  text(key: string): string | null
}

/** Key prefix of what was set aside of an owner. */
export const asideOf = (owner: string): string => `unread:${owner}:`

/** Keys that can be recomputed: removed where storage is full. */
const spare = ['lastGrid', 'templateFigures', 'factors:cb', 'factors:stk']

/** `unread`: a value that this release cannot read was set aside; `lost`: a value could not be stored, for the reason `error`. */
type Trouble = (what: 'unread' | 'lost', key: string, error?: unknown) => void
/** What went wrong before anybody listened: stores are read while the first modules load. */
const untold: Parameters<Trouble>[] = []
let tell: Trouble = (...trouble) => void untold.push(trouble)

/** Calls `report` for each trouble with browser storage, those of before among them. One listener; a later one takes its place. */
export function onStorageTrouble(report: Trouble): void {
  tell = report
  for (const trouble of untold.splice(0)) report(...trouble)
}

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
    // Nothing is stored, storage is unreadable (reported by the next write), or the text is set aside already.
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
 * Calls `changed` whenever another tab has written a key, until this tab is closed: a missed change would be overwritten by the next
 * write made here. A page restored from the back/forward cache has missed all storage events, so it counts as changed.
 */
export function onOtherTab(key: string, changed: () => void): void {
  globalThis.window?.addEventListener('storage', ({ key: written }) => {
    if (written === key || written === null) changed()
  })
  globalThis.window?.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) changed()
  })
}

/** Persists across browser sessions. */
export const local = shelf(() => globalThis.localStorage)
/** Is cleared when the tab is closed. */
export const session = shelf(() => globalThis.sessionStorage)
