import type { ListSpan } from '../../market/import/companions.ts'
import type { DayTable } from '../rows.ts'
import type { Entry } from './entries.ts'
import type { Facts } from './facts.ts'

export interface DayAnswers {
  readonly day: string
  readonly table: DayTable
  /** Name of the source of the table, for the report. */
  readonly source: string
  /** Null: no list was to be had. */
  readonly entries: ReadonlyMap<string, Entry> | null
  /** Name of the source of the list, where it is another one. */
  readonly listSource?: string
  readonly facts: Facts
  /** Bonds only: their stocks on the day, and what these are called. */
  readonly stocks: DayTable | null
  readonly stockNames: ReadonlyMap<string, string>
  /** Bonds only: of their stocks that the list says have left, the first day on which they are not listed. */
  readonly shareEnds?: ReadonlyMap<string, string>
  /** Days that lists of announcements of calls cover, as they were asked for. */
  readonly callLists?: readonly ListSpan[]
  /** Whether stocks go ex on the day, of those that were asked for and are known; null: nobody was asked. */
  readonly exDays: ReadonlyMap<string, boolean> | null
  /** Codes whose rows did not count as their source gave them, on the trading day before and on the one before that. */
  readonly rejectedBefore?: readonly ReadonlySet<string>[]
  /** Its evening is over: what has come of it is the day, if that is at least half, and the rest is open. Before, far too few rows wait. */
  readonly isLate?: boolean
  /** Whether a code's factor of the day before was derived from the reference price. */
  readonly madeFactors?: (code: string) => boolean
}
