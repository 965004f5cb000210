import { type Panel, panelFrom, recentDays, type StatementHistory, type TradingRules } from '@convexa/engine'
import type { ManifestField } from '../market/manifest.ts'
import { loadBase, loadDays, type MarketBase } from '../market/panels.ts'
import { readReports, roomFor } from '../market/read-store.ts'
import { availableIn } from '../market/snapshot.ts'
import type { DataFiles } from './protocol.ts'
import { smallestFirst, type Waiting } from './smallest-first-queue.ts'

/** Fields that a piece of work reads: those of which the newest days do, and those of which it needs all days. */
export interface Reads {
  readonly recent: ReadonlySet<string>
  readonly whole: ReadonlySet<string>
}

/**
 * The markets in memory: of each field that was asked for the days that were, per snapshot, the least recently used forgotten first.
 * A column has room for all days from the beginning on; what is not loaded of it takes no memory, and no panel that is given out shows it.
 */
export interface PanelCache {
  /** Fields that the snapshot has data for. */
  available(files: DataFiles): Promise<ReadonlySet<string>>
  /** Panels with at least these fields; they stay in memory until `release`. Loads what is missing. */
  acquire(files: DataFiles, reads: Reads): Promise<LoadedPanel>
  /** Bytes of all that is held. */
  bytes(): number
}

export interface LoadedPanel {
  /** Of the snapshot. */
  readonly key: string
  readonly base: Pick<MarketBase, 'panel' | 'securities'>
  /** The same view twice where only one was asked for, or the market is short. */
  readonly recent: View
  readonly whole: View
  release(): void
}

/** A panel that begins on a day: made of `base`, with columns of all days of the market, of which those before it may not be there. */
export interface View {
  readonly from: number
  readonly columns: ReadonlyMap<string, Float64Array>
  readonly reports: StatementHistory | undefined
}

/** The panel of a view; with `spare` its columns, masks and series go on behind its last day, for as many. */
export function panelOfView(base: Omit<Panel, 'columns' | 'reports'>, { from, columns, reports }: View, spare = 0): Panel {
  const days = base.dates.length + spare
  const cells = days * base.stride
  return panelFrom(
    {
      ...base,
      columns: new Map([...columns].map(([key, column]) => [key, column.subarray(0, cells)])),
      listed: base.listed.subarray(0, cells),
      traded: base.traded.subarray(0, cells),
      benchmarks: new Map([...base.benchmarks].map(([code, series]) => [code, series.subarray(0, days)])),
      ...(reports && { reports }),
    },
    from,
  )
}

interface Column {
  readonly cells: Float64Array
  /** Its days are loaded from here on, and will be from there on. */
  since: number
  promised: number
  /** When it was last asked for, by the cache's own count. */
  used: number
  loading: Promise<void>
  readonly waiting: Waiting
}

interface Entry {
  readonly key: string
  readonly files: DataFiles
  readonly available: Promise<ReadonlySet<string>>
  loadingBase: Promise<MarketBase> | null
  base: MarketBase | null
  readonly columns: Map<string, Column>
  reports: StatementHistory | undefined
  loadingReports: Promise<unknown>
  holders: number
}

/** One key per market data, benchmark data and data of underlying shares. */
const panelKey = ({ snapshotId, indexSnapshotId, stockSnapshotId }: DataFiles): string =>
  `${snapshotId}/${indexSnapshotId ?? '-'}/${stockSnapshotId ?? '-'}`

/** Behind the last day there is room for the one that is not over. */
const spareDays = 1

/** Columns that are read at once: some by Node's pool while another is checked. */
const mostLoading = 3

/** `budget` in bytes; what is being computed on is never forgotten, so the cache may pass it. */
export function panelCache(
  budget: number,
  onBytes: (bytes: number) => void,
  onForget: (key: string) => void,
  rules?: TradingRules,
): PanelCache {
  const entries = new Map<string, Entry>()
  // One field after the other, the smallest load first: a request for few fields does not wait for a request for many.
  const inTurn = smallestFirst(mostLoading)
  let clock = 0
  const bytes = () => [...entries.values()].reduce((sum, entry) => sum + bytesOf(entry), 0)

  const entryOf = (files: DataFiles): Entry => {
    const key = panelKey(files)
    const found = entries.get(key)
    if (found) return found
    const available = availableIn(files.folder)
    const nothing = { loadingBase: null, base: null, columns: new Map(), reports: undefined, loadingReports: Promise.resolve(), holders: 0 }
    const entry: Entry = { key, files, available, ...nothing }
    // A folder that cannot be read now may be readable for the next call.
    available.catch(() => entries.delete(key))
    entries.set(key, entry)
    return entry
  }

  const baseOf = async (entry: Entry): Promise<MarketBase> => {
    entry.loadingBase ??= loadBase(entry.files.folder, entry.files.indexFolder, {
      ...{ spare: spareDays, stocks: entry.files.stockFolder, rules },
    })
    try {
      return (entry.base = await entry.loadingBase)
    } catch (error) {
      entry.loadingBase = null
      throw error
    }
  }

  /** The column with the days from one on, one load after the other. */
  const load = (entry: Entry, base: MarketBase, field: ManifestField, from: number, size: number): Promise<void> => {
    const { rows } = base.manifest
    const column: Column = entry.columns.get(field.key) ?? {
      ...{ cells: roomFor(base.manifest, spareDays), since: rows, promised: rows, used: 0, loading: Promise.resolve(), waiting: { size } },
    }
    entry.columns.set(field.key, column)
    column.used = clock
    if (column.since <= from) return Promise.resolve()
    column.waiting.size = column.promised < column.since ? Math.min(column.waiting.size, size) : size
    if (column.promised <= from) return column.loading
    column.promised = from
    const loading = column.loading.then(() =>
      inTurn(column.waiting, async () => {
        await loadDays(entry.files.folder, base, field, column.cells, { from, to: column.since })
        column.since = from
      }),
    )
    column.loading = loading
    loading.catch(() => {
      column.promised = column.since
      column.loading = Promise.resolve()
      if (column.since === rows && entry.columns.get(field.key) === column) entry.columns.delete(field.key)
    })
    return loading
  }

  const loadItems = (entry: Entry, { manifest }: MarketBase, items: readonly string[]): Promise<unknown> => {
    const loading = entry.loadingReports.then(async () => {
      const missing = new Set(items.filter((item) => !entry.reports?.items.has(item)))
      if (missing.size === 0) return
      const more = await readReports(entry.files.folder, manifest, (item) => missing.has(item))
      if (more) entry.reports = { ...more, items: new Map([...(entry.reports?.items ?? []), ...more.items]) }
    })
    // A failure is thrown to its asker, and the next one reads anew.
    entry.loadingReports = loading.catch(() => {})
    return loading
  }

  const view = (entry: Entry, from: number): View => {
    const loaded = [...entry.columns].filter(([, { since }]) => since <= from)
    return { from, columns: new Map(loaded.map(([key, { cells }]) => [key, cells])), reports: entry.reports }
  }

  /** Whole columns go, oldest first, of markets that nobody computes on. */
  const forget = () => {
    let bytesNow = bytes()
    while (bytesNow > budget) {
      let oldest: { entry: Entry; field: string; at: number } | null = null
      for (const entry of entries.values()) {
        if (entry.holders > 0) continue
        for (const [field, { used }] of entry.columns) if (!oldest || used < oldest.at) oldest = { entry, field, at: used }
      }
      if (!oldest) break
      const { entry, field } = oldest
      entry.columns.delete(field)
      if (entry.columns.size === 0) entries.delete(entry.key)
      // The threads hold the columns too: they are given the smaller panel with the next task.
      onForget(entry.key)
      bytesNow = bytes()
    }
    onBytes(bytesNow)
  }

  return {
    bytes,
    available: (files) => entryOf(files).available,
    async acquire(files, reads) {
      const entry = entryOf(files)
      entry.holders++
      let isAcquired = true
      const release = () => {
        if (!isAcquired) return
        isAcquired = false
        entry.holders--
        forget()
      }
      try {
        const base = await baseOf(entry)
        const { manifest } = base
        const from = recentFrom(manifest.rows)
        clock++
        const wanted = new Map<string, number>()
        for (const key of reads.recent) wanted.set(key, from)
        for (const key of reads.whole) wanted.set(key, 0)
        const fields = manifest.fields.filter(({ key }) => wanted.has(key))
        const missing = ({ key }: ManifestField) => Math.max(0, (entry.columns.get(key)?.since ?? manifest.rows) - wanted.get(key)!)
        const size = fields.reduce((sum, field) => sum + missing(field), 0)
        const loads = fields.map((field) => load(entry, base, field, wanted.get(field.key)!, size))
        const items = manifest.reports?.items.filter((item) => wanted.has(item)) ?? []
        // Reported before the read, so that the watchdog allows for these bytes.
        onBytes(bytes())
        // Waits for every load before the first error is thrown: no load may write into a market that has been released.
        for (const one of await Promise.allSettled([...loads, loadItems(entry, base, items)]))
          if (one.status === 'rejected') throw one.reason
        const [recent, whole] = [view(entry, from), view(entry, 0)]
        forget()
        const only = reads.whole.size === 0 ? recent : reads.recent.size === 0 || from === 0 ? whole : null
        return { key: entry.key, base, recent: only ?? recent, whole: only ?? whole, release }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/** Where recent panels begin; a market that is hardly longer has but one. */
function recentFrom(rows: number): number {
  return rows > 1.5 * recentDays ? rows - recentDays : 0
}

function bytesOf({ base, columns, reports }: Entry): number {
  if (!base) return 0
  const { rows, stride } = base.manifest
  let sum = base.securities.byteLength + base.panel.listed.byteLength + base.panel.traded.byteLength
  for (const { promised } of columns.values()) sum += (rows - promised) * stride * 8
  for (const series of base.panel.benchmarks.values()) sum += series.byteLength
  for (const numbers of reports?.items.values() ?? []) sum += numbers.byteLength
  return sum
}
