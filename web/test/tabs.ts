import { vi } from 'vitest'
import { memoryStorage } from './storage.ts'

interface Tab {
  session: Storage
  window: EventTarget
}

/** Tabs of one browser: local storage is shared and tells the other tabs, storage of the tab is its own. */
export function browserOfTabs() {
  const kept = memoryStorage()
  const tabs: Tab[] = []
  let acting: Tab | null = null
  const told: { key: string | null; by: Tab | null }[] = []
  const local: Storage = {
    ...kept,
    setItem(key, value) {
      if (kept.getItem(key) === value) return
      kept.setItem(key, value)
      told.push({ key, by: acting })
    },
    removeItem(key) {
      kept.removeItem(key)
      told.push({ key, by: acting })
    },
    clear() {
      kept.clear()
      told.push({ key: null, by: acting })
    },
    get length() {
      return kept.length
    },
  }
  vi.stubGlobal('localStorage', local)
  const within = <T>(tab: Tab, work: () => T): T => {
    acting = tab
    vi.stubGlobal('sessionStorage', tab.session)
    return work()
  }
  /** What was written reaches the other tabs, in order, once the writer is done. */
  const deliver = () => {
    for (let news = told.shift(); news; news = told.shift())
      for (const tab of tabs)
        if (tab !== news.by) within(tab, () => tab.window.dispatchEvent(Object.assign(new Event('storage'), { key: news.key })))
  }
  /** `load` imports what the tab runs; a copy of a tab begins with a copy of its storage. */
  async function open<M>(load: () => Promise<M>, session: Storage = memoryStorage()) {
    const tab = { session, window: new EventTarget() }
    tabs.push(tab)
    vi.resetModules()
    vi.stubGlobal('window', tab.window)
    const modules = await within(tab, load)
    return {
      ...tab,
      /** Does something in this tab, after which all tabs have heard of it. */
      act<T>(work: (modules: M) => T): T {
        const done = within(tab, () => work(modules))
        deliver()
        return done
      },
      close: () => void tabs.splice(tabs.indexOf(tab), 1),
    }
  }
  return { local, open }
}

export function copyOf(storage: Storage): Storage {
  const copy = memoryStorage()
  for (let i = 0; i < storage.length; i++) copy.setItem(storage.key(i) ?? '', storage.getItem(storage.key(i) ?? '') ?? '')
  return copy
}
