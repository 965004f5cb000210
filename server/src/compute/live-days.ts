import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { type Market, type Quotes, todayReads } from '@convexa/engine'
import type { LiveQuotes } from '../feeds/live/quote-store.ts'
import { nextExpectedDay } from '../market/expected-days.ts'
import type { LoadedPanel, Reads } from './panel-cache.ts'

/** The day that is not over, as a piece of work names it to its thread. */
export interface LiveDay extends Pick<Quotes, 'date'> {
  /** The trading day after it, in a year without a calendar the next weekday. */
  readonly nextDay: string
  /** Which quotes its row was laid from, ascending. */
  readonly seq: number
  /** When the newest of them was made, ISO 8601. */
  readonly quotedAt: string
}

/**
 * Readers-writer lock on the row behind the last day of a market. Threads read that row in shared memory, so it is written only while no
 * work reads it, and new work waits for the write. Screens take milliseconds and quotes come every few seconds, so the waits are short.
 */
export interface LiveDays {
  /** Newest quotes; older ones than known are passed over. */
  tell(quotes: LiveQuotes): void
  /** What a piece of work must load so that today's row of what it reads can be laid; the same where there is no day to lay. */
  reads(market: Market, available: ReadonlySet<string>, reads: Reads): Reads
  /** The day that `panel` continues with, laid; null when there is none behind its last. What was entered is left when the work has ended. */
  enter(panel: LoadedPanel, available: ReadonlySet<string>): Promise<{ readonly day: LiveDay; leave(): void } | null>
  /** A market's columns have gone. */
  forget(key: string): void
}

interface Row {
  seq: number
  /** Fields that are laid. */
  readonly fields: Set<string>
  readers: number
  /** Somebody lays it, or waits to. */
  laying: Promise<boolean> | null
  /** Called when the last reader leaves. */
  emptied: (() => void) | null
}

/** `lay` has a thread lay the row; false = it could not. */
export function liveDays(lay: (panel: LoadedPanel, available: ReadonlySet<string>, quotes: LiveQuotes) => Promise<boolean>): LiveDays {
  let newest: LiveQuotes | null = null
  const rows = new Map<string, Row>()

  const rowOf = (key: string): Row => {
    const known = rows.get(key)
    if (known) return known
    const row: Row = { seq: -1, fields: new Set(), readers: 0, laying: null, emptied: null }
    rows.set(key, row)
    return row
  }

  const layRow = async (row: Row, panel: LoadedPanel, available: ReadonlySet<string>, quotes: LiveQuotes): Promise<boolean> => {
    if (row.readers > 0) await new Promise<void>((resolve) => (row.emptied = resolve))
    row.emptied = null
    const isLaid = await lay(panel, available, quotes)
    if (!isLaid) return false
    if (row.seq !== quotes.seq) row.fields.clear()
    row.seq = quotes.seq
    for (const key of fieldsOf(panel)) row.fields.add(key)
    return true
  }

  return {
    tell(quotes) {
      if (newest === null || quotes.seq > newest.seq) newest = quotes
    },
    reads(market, available, { recent, whole }) {
      if (newest === null) return { recent, whole }
      // Today's row is of all columns that are shown: what it follows from is read with the newest days.
      return { recent: todayReads(market, available, [...recent, ...whole]), whole }
    },
    async enter(panel, available) {
      const row = rowOf(panel.key)
      for (;;) {
        const quotes = newest
        const { dates, dataMode } = panel.base.panel
        if (quotes === null || isSynthetic(dataMode) || quotes.date <= (dates[dates.length - 1] ?? '')) return null
        if (row.laying) {
          await row.laying
          continue
        }
        if (row.seq < quotes.seq || fieldsOf(panel).some((key) => !row.fields.has(key))) {
          row.laying = layRow(row, panel, available, quotes)
          const isLaid = await row.laying
          row.laying = null
          if (!isLaid) return null
          continue
        }
        row.readers++
        const { date, quotedAt } = quotes
        let left = false
        const leave = () => {
          if (left) return
          left = true
          if (--row.readers === 0) row.emptied?.()
        }
        return { day: { date, nextDay: nextExpectedDay(date), seq: row.seq, quotedAt }, leave }
      }
    },
    forget(key) {
      const row = rows.get(key)
      if (row && row.readers === 0 && !row.laying) rows.delete(key)
      else row?.fields.clear()
    },
  }
}

const fieldsOf = ({ recent, whole }: LoadedPanel): string[] => [...new Set([...recent.columns.keys(), ...whole.columns.keys()])]
