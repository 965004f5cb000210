import { z } from 'zod'
import { DataMode } from './market.ts'
import { FactorRef, lines, num } from './scalars.ts'

/** What is known of a market's data: `GET …/data`. What it says of quality is of the newest published day, not of quotes. */
export const DataSheet = z.object({
  trade_date: z.string(),
  first_date: z.string(),
  data_mode: DataMode,
  data_version: z.string(),
  published_at: z.string(),
  /** As traded, or adjusted forward or backward. */
  adjust: z.enum(['raw', 'qfq', 'hfq']),
  /** Trading days that have closed since `trade_date`. Of demo data 0: nothing follows them. */
  behind: z.int(),
  /** Where the data came from, in the order in which it came: a source, a file, or the model. `last`: the newest day of a source. */
  sources: z.array(z.object({ label: z.string(), last: z.string().nullable() })),
  /** Securities listed on the newest day, and those that are in the data though they have left the market. */
  listed: z.int(),
  delisted: z.int(),
  /** Rows that checks left out: of the newest day where it was ingested by itself, else of the import. */
  quarantined: z.object({ rows: z.int(), of: z.enum(['day', 'import']), reasons: z.array(z.object({ text: z.string(), count: z.int() })) }),
  /** Ingestion from sources; null where none is on. `refused`: the newest day that the checks did not let in. */
  ingestion: z.object({ refused: z.string().nullable(), waiting: z.string().nullable() }).nullable(),
  /** Sources that are on and did not answer when they were asked last. Times are null where it never answered. */
  lost: z.array(z.object({ label: z.string(), need: z.string(), since: z.string(), answered_at: z.string().nullable() })),
  /** Quotes of the day that is not over; null where there are none. `stale`: older than they should be at this hour. */
  quotes: z.object({ source: z.string(), quoted_at: z.string(), stale: z.boolean() }).nullable(),
  /** Asked for by `keys`, in their order: how many of the listed have a value. null where that cannot be said, with the `reason` if there is one. */
  factors: z.array(z.object({ factor: FactorRef, values: z.int().nullable(), coverage: num, reason: z.string().nullable() })),
  /** The shares of `factors` are still being counted: to be asked again. */
  counting: z.boolean(),
})
export type DataSheet = z.output<typeof DataSheet>

/** `keys`: factors whose values are counted; repeated or separated by commas (a formula must be repeated, it may hold commas). */
export const DataSheetQuery = z.object({ keys: z.union([lines(2_100), z.array(lines(2_100)).max(20)]).optional() })
