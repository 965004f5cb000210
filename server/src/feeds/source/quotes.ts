/** What quotes of every source have in common: when they were made, and what has not traded. */
import type { Quotes } from '../rows.ts'
import { sessionDay } from '../session.ts'
import { dayTable, only, type Readings, type SourceRow } from './columns.ts'
import type { FeedDeps } from './feed-deps.ts'
import { withVolumes } from './volume.ts'

/** Milliseconds since 1970 of a Shanghai date and time, `2024-06-18` `15:00:03`; NaN when it is none. */
export const shanghaiMs = (date: string, time: string): number => Date.parse(`${date}T${time}+08:00`)

/** The Shanghai date of a moment. */
export const shanghaiDay = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10)

export interface QuoteRow extends SourceRow {
  /** When the source made it, ms; NaN: it does not say. */
  readonly madeAt: number
}

/**
 * Quotes out of rows; the table reads `close`, `amount` in 万元 and `vol` as the source writes it. The day is the newest that a row was
 * made on. What has not traded that day has no row and is named as suspended.
 */
export function quotesOf(label: string, rows: readonly QuoteRow[], table: Readings, deps: FeedDeps): Quotes {
  const times = rows.map(({ madeAt }) => madeAt).filter((ms) => ms === ms)
  const date = times.length > 0 ? shanghaiDay(times.reduce((a, b) => Math.max(a, b))) : sessionDay(new Date(deps.now()))
  const ofToday = ({ madeAt }: QuoteRow) => madeAt !== madeAt || shanghaiDay(madeAt) === date
  const all = withVolumes(dayTable(label, date, rows.filter(ofToday), table))
  const [amount, close] = ['amount', 'close'].map((key) => all.columns.get(key)!)
  const isTraded = (i: number) => close![i]! > 0 && amount![i] !== 0
  const still = all.codes.filter((_, i) => !isTraded(i))
  const made = new Map(rows.map(({ code, madeAt }) => [code, madeAt]))
  const traded = only(all, (_, i) => isTraded(i))
  return {
    ...traded,
    suspended: [...still, ...rows.filter((row) => !ofToday(row)).map(({ code }) => code)].sort(),
    madeAt: Float64Array.from(traded.codes, (code) => made.get(code)!),
  }
}
