import { z } from 'zod'
import { adjustments } from './enums/adjust.ts'
import { valuesOf } from './enums/table.ts'
import { DataMode } from './market.ts'
import { FactorRef, FactorRefs, num } from './scalars.ts'

/** Where data came from: a source by its name, a file, or the model. `last`: the newest day of a source; null of what says all at once. */
export const DataSource = z.object({ label: z.string(), last: z.string().nullable() })
export type DataSource = z.output<typeof DataSource>

/** A source that failed to answer one kind of request. `since`: time of the last request; `instead`: the source that answered in its place, or null. */
export const LostSource = z.object({
  label: z.string(),
  need: z.string(),
  /**
   * Asked too often; the day's share is used up; the operator has no right or no valid token; it says no, turns the machine's address away or
   * has banned the account; no answer; one that is not known.
   */
  fault: z.enum(['wait', 'tomorrow', 'permission', 'credentials', 'refused', 'blocked', 'banned', 'network', 'shape']),
  since: z.string(),
  /** null where it never answered. */
  answered_at: z.string().nullable(),
  instead: z.string().nullable(),
})
export type LostSource = z.output<typeof LostSource>

/** What is known of a market's data: `GET …/data`. What it says of quality is of the newest published day, not of quotes. */
export const DataSheet = z.object({
  trade_date: z.string(),
  first_date: z.string(),
  data_mode: DataMode,
  data_version: z.string(),
  published_at: z.string(),
  /** As traded, or adjusted forward or backward. */
  adjust: z.enum(valuesOf(adjustments)),
  /** Trading days that have closed since `trade_date`. Of demo data 0: nothing follows them. */
  behind: z.int(),
  /** The closed days of this year are not known yet: in `behind` every weekday of it counts as a trading day (推定). */
  calendar_expected: z.boolean(),
  /** Newer data whose files are damaged: their day. null: what is shown is the newest. */
  damaged: z.string().nullable(),
  /** In the order in which they came. */
  sources: z.array(DataSource),
  /** Securities listed on the newest day, and those that are in the data though they have left the market. */
  listed: z.int(),
  delisted: z.int(),
  /** Rows that checks left out: of the newest day where it was ingested by itself, else of the import. */
  quarantined: z.object({ rows: z.int(), of: z.enum(['day', 'import']), reasons: z.array(z.object({ text: z.string(), count: z.int() })) }),
  /** Ingestion from sources; null where none is on. `refused`: the newest day that the checks did not let in. */
  ingestion: z.object({ refused: z.string().nullable(), waiting: z.string().nullable() }).nullable(),
  /** Parts of the newest day that have not come, or not all of them: how many of how many, and the codes of some that are missing. */
  open_parts: z.array(z.object({ label: z.string(), expected: z.int(), found: z.int(), codes: z.array(z.string()) })),
  /** Sources that are on and gave no answer when they were asked last, as they are asked one after the other. */
  lost: z.array(LostSource),
  /** Quotes of the day that is not over; null where there are none. `stale`: older than they should be at this hour. */
  quotes: z.object({ source: z.string(), quoted_at: z.string(), stale: z.boolean() }).nullable(),
  /**
   * Asked for by `keys`, in their order: how many of the listed have a value. null where that cannot be said, with the `reason` if there is one.
   * `positive`: it says nothing at 0 or below, as a multiple of a loss; few values are no fault of the data.
   */
  factors: z.array(
    z.object({ factor: FactorRef, values: z.int().nullable(), coverage: num, reason: z.string().nullable(), positive: z.boolean() }),
  ),
  /** The shares of `factors` are still being counted: to be asked again. */
  counting: z.boolean(),
})
export type DataSheet = z.output<typeof DataSheet>

/** `keys`: factors whose values are counted. */
export const DataSheetQuery = z.object({ keys: FactorRefs.optional() })

/** Where the data of a version came from; nothing where it is kept no longer. */
export const DataSources = z.object({ sources: z.array(DataSource) })
export type DataSources = z.output<typeof DataSources>

export const DataSourcesQuery = z.object({ version: z.string().min(1).max(64) })
