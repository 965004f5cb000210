/** Why bonds left that no notice of their own and no term explains (domain.md 5.7): one rule for files and for sources. */
import type { ExitReason } from '@convexa/contract/enums/exit-reason'
import { addDays } from './calendar.ts'
import { isCovered, type ListSpan } from './import/companions.ts'

/** 亿元: below it an exchange ends the listing of a bond. */
export const smallSize = 0.3
/** Trading days up to the last row within which the clause was met before a call. */
export const metWithin = 60
/** Days between a bond's last day and the delisting of its share: both are often suspended for months before it. */
const shareLeaves = { before: 30, after: 200 }

/** What is known of an early end. */
export interface EarlyEnd {
  readonly lastDay: string
  /** Days that lists of calls cover: a bond on none of the lists was not called. */
  readonly callLists: readonly ListSpan[]
  /** Whether its call clause was met shortly before; null: nobody can say. */
  readonly isMet: boolean | null
  /** The first day on which its share was not listed any more; null: none is known. */
  readonly shareEnd: string | null
  /** Whether its share was in its last trading period (退市整理) when the bond left. */
  readonly isShareLeaving: boolean
  readonly isSmall: boolean
}

/**
 * A call where the clause was met and no list speaks against it, the delisting of its share, or its size. A small size alone proves nothing: after
 * a call most of a bond is converted.
 */
export function earlyReason(end: EarlyEnd): Exclude<ExitReason, 'maturity'> {
  const { lastDay, callLists, isMet, shareEnd, isShareLeaving, isSmall } = end
  const isOffList = isCovered(callLists, lastDay)
  if (!isOffList && isMet) return 'called'
  const { before, after } = shareLeaves
  if (isShareLeaving || (shareEnd !== null && shareEnd >= addDays(lastDay, -before) && shareEnd <= addDays(lastDay, after)))
    return 'delisted'
  return isSmall && (isOffList || isMet === false) ? 'small' : 'unknown'
}

/** Rows of days, `stride` cells each. */
interface Grid {
  readonly dates: readonly string[]
  readonly stride: number
  readonly listed: Uint8Array
}

/**
 * The first of the last sixty listed rows on which the call clause of the bond in place `i`, last traded on `lastRow`, was met; −1: on none of
 * them. Null where its days are not counted.
 */
export function metBefore({ dates, stride, listed }: Grid, counts: Float64Array, need: number, i: number, lastRow: number): number | null {
  let to = lastRow
  while (to + 1 < dates.length && listed[(to + 1) * stride + i] === 1) to++
  let isCounted = false
  for (let t = Math.max(0, to - metWithin + 1); t <= to; t++) {
    const count = counts[t * stride + i]!
    if (count >= need) return t
    isCounted ||= count === count
  }
  return isCounted && need === need ? -1 : null
}

/** Whether a share's name is that of its last trading period. */
export const isLeavingName = (name: string | null | undefined): boolean => /^退市|退$/.test(name ?? '')
