/**
 * Downward revisions that no event tells (domain.md 2.4, rule 4): a cut of the conversion price is one within sixty days after a proposal, and only
 * where the share's own ex-day does not explain it. Without a proposal cuts are for new shares and rights.
 */
import { type Announcement, lapseDays } from '@convexa/engine'
import { addDays } from './calendar.ts'

/** A conversion price before and after, and the share beside it; NaN = not known. */
export interface Cut {
  readonly before: number
  readonly now: number
  readonly closeBefore: number
  readonly closeNow: number
  /** What the share's ex-day leaves of a price: the exchange's previous close ÷ the close before, or factor before ÷ factor now. */
  readonly left: number
}

/** More than 2 % below what the ex-day gives; where that is not known, more than 5 % while the share fell by less than half of it. */
export function isRevision({ before, now, closeBefore, closeNow, left }: Cut): boolean {
  if (!(now < before)) return false
  if (left === left) return now < before * Math.min(1, left) * 0.98
  const cut = 1 - now / before
  return cut > 0.05 && !(1 - closeNow / closeBefore >= cut / 2)
}

/** The proposal that a revision in force from a day on would settle; undefined where none is open. */
export function openProposal(announcements: readonly Announcement[], day: string): Announcement | undefined {
  const news = announcements.filter(({ kind, date }) => date < day && ['reset_proposal', 'reset', 'no_reset'].includes(kind))
  const last = news.at(-1)
  return last?.kind === 'reset_proposal' && day <= addDays(last.date, lapseDays) ? last : undefined
}

/** The revision that is in force from a day on, known on the day before it. */
export const revisionOn = (day: string): Announcement => ({ date: addDays(day, -1), kind: 'reset', effective: day })
