import { datedKeys, type Panel } from '@convexa/engine'
import { loadPanel } from '../market/panels.ts'
import { availableIn } from '../market/snapshot.ts'
import type { DataFiles } from './protocol.ts'

/** The panels in memory: exactly the fields that were asked for, per snapshot, the least recently used forgotten first. */
export interface PanelCache {
  /** Fields that the snapshot has data for. */
  available(files: DataFiles): Promise<ReadonlySet<string>>
  /** The panel with at least `fields`; it stays in memory until `release`. Loads what is missing. */
  acquire(files: DataFiles, fields: ReadonlySet<string>): Promise<Held>
  /** Bytes of all panels held. */
  bytes(): number
}

export interface Held {
  readonly key: string
  readonly panel: Panel
  release(): void
}

interface Entry {
  readonly key: string
  panel: Panel | null
  /** When each column was last asked for, by the cache's own count. */
  readonly used: Map<string, number>
  holders: number
  loading: Promise<unknown>
  available: Promise<ReadonlySet<string>>
}

/** One key per pair of market data and benchmark data. */
export const panelKey = (files: DataFiles): string => `${files.snapshotId}/${files.indexSnapshotId ?? '-'}`

/** `budget` in bytes; what is being computed on is never forgotten, so the cache may pass it. */
export function panelCache(budget: number, onBytes: (bytes: number) => void, onForget: (key: string) => void): PanelCache {
  const entries = new Map<string, Entry>()
  let clock = 0
  const bytes = () => [...entries.values()].reduce((sum, entry) => sum + bytesOf(entry.panel), 0)

  const entryOf = (files: DataFiles): Entry => {
    const key = panelKey(files)
    const found = entries.get(key)
    if (found) return found
    const available = availableIn(files.folder)
    const entry: Entry = { key, panel: null, used: new Map(), holders: 0, loading: Promise.resolve(), available }
    // A folder that cannot be read now may be readable for the next call.
    available.catch(() => entries.delete(key))
    entries.set(key, entry)
    return entry
  }

  const load = async (entry: Entry, files: DataFiles, fields: ReadonlySet<string>) => {
    const available = await entry.available
    const missing = [...fields].filter((field) => available.has(field) && !(entry.panel && holds(entry.panel, field)))
    if (entry.panel && missing.length === 0) return
    const { panel } = entry
    // Told before it is read: the watchdog must allow for it.
    if (panel) onBytes(bytes() + missing.length * panel.dates.length * panel.stride * 8)
    const loaded = await loadPanel(files.folder, files.indexFolder, missing)
    entry.panel = panel ? joined(panel, loaded) : loaded
  }

  /** Whole columns go, oldest first, of panels that nobody computes on. */
  const forget = () => {
    let held = bytes()
    while (held > budget) {
      let oldest: { entry: Entry; field: string; at: number } | null = null
      for (const entry of entries.values()) {
        if (entry.holders > 0 || !entry.panel) continue
        for (const field of entry.panel.columns.keys()) {
          const at = entry.used.get(field) ?? 0
          if (!oldest || at < oldest.at) oldest = { entry, field, at }
        }
      }
      if (!oldest?.entry.panel) break
      const { entry, field } = oldest
      const columns = new Map(oldest.entry.panel.columns)
      columns.delete(field)
      entry.used.delete(field)
      if (columns.size > 0) entry.panel = { ...oldest.entry.panel, columns }
      else entries.delete(entry.key)
      // The threads hold the columns too: they are given the smaller panel with the next task.
      onForget(entry.key)
      held = bytes()
    }
    onBytes(held)
  }

  return {
    bytes,
    available: (files) => entryOf(files).available,
    async acquire(files, fields) {
      const entry = entryOf(files)
      entry.holders++
      let held = true
      const release = () => {
        if (!held) return
        held = false
        entry.holders--
        forget()
      }
      try {
        // One load at a time per snapshot: two tasks that need the same field read it once.
        const loading = entry.loading.then(() => load(entry, files, fields))
        entry.loading = loading.catch(() => {})
        await loading
      } catch (error) {
        release()
        throw error
      }
      const at = ++clock
      for (const field of fields) entry.used.set(field, at)
      forget()
      return { key: entry.key, panel: entry.panel!, release }
    },
  }
}

/** Whether the panel has a field's column, the item's numbers, or the dated facts of its securities. */
function holds({ columns, reports, securities }: Panel, key: string): boolean {
  return columns.has(key) || (reports?.items.has(key) ?? false) || datedKeys(securities).has(key)
}

function joined(panel: Panel, more: Panel): Panel {
  const columns = new Map([...panel.columns, ...more.columns])
  const reports = more.reports ?? panel.reports
  if (!reports) return { ...panel, columns }
  return { ...panel, columns, reports: { ...reports, items: new Map([...(panel.reports?.items ?? []), ...(more.reports?.items ?? [])]) } }
}

function bytesOf(panel: Panel | null): number {
  if (!panel) return 0
  let sum = panel.listed.byteLength + panel.traded.byteLength
  for (const column of panel.columns.values()) sum += column.byteLength
  for (const series of panel.benchmarks.values()) sum += series.byteLength
  for (const numbers of panel.reports?.items.values() ?? []) sum += numbers.byteLength
  return sum
}
