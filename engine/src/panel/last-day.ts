/**
 * Last trading days as they were known. What was known on a day stays known of that day: a day that proves wrong gets a new entry behind it, and
 * realistic runs, lists and followed strategies read the entry of their day. Ideal runs read the file (`Security.lastDay`).
 */

/** An entry: the last trading day as it is known from a day on; null = the one before has passed and the security goes on. */
export interface KnownLastDay {
  readonly known: string
  readonly day: string | null
}

/** What a security says of its end (`Security`). */
interface Ending {
  readonly lastDay: string | null
  readonly lastDayKnown: string | null
  readonly lastDays?: readonly KnownLastDay[]
}

/** Ascending by `known`; where the data have a single last day it is the only entry. */
export function lastDaysOf({ lastDays, lastDay, lastDayKnown }: Ending): readonly KnownLastDay[] {
  if (lastDays) return lastDays
  return lastDay !== null && lastDayKnown !== null ? [{ known: lastDayKnown, day: lastDay }] : []
}

/** The last trading day as it was known on a day; null = none was. */
export const lastDayOn = (security: Ending, date: string): string | null =>
  lastDaysOf(security).findLast(({ known }) => known <= date)?.day ?? null

/** With one more entry, where it says another day than the last. */
export function withLastDay(entries: readonly KnownLastDay[], entry: KnownLastDay): readonly KnownLastDay[] {
  const last = entries.at(-1)
  return (last?.day ?? null) === entry.day ? entries : [...entries, entry]
}
