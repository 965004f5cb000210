import type { DayDetail, Report } from '@convexa/contract/report'

/** Bonds that trade no more and are not paid yet. */
export const claimTags = { claim: '待兑付', unpaid: '未兑付' } as const

export interface Held {
  code: string
  name: string
  weight: number
  /** It trades no more and is not paid yet: as it is called. */
  claim: string | undefined
}

/** What was held after a day's close, the heaviest first; a day without an entry is as the one before it. */
export function heldOn({ codes, names, days }: Report['holdings'], date: string): Held[] {
  const day = days.findLast((one) => one.date <= date)
  if (!day) return []
  return day.code_index
    .map((index, i) => ({
      ...{ code: codes[index] ?? '', name: names[index] ?? '', weight: day.weight[i] ?? 0 },
      claim: day.claims?.includes(index) ? claimTags.claim : day.unpaid?.includes(index) ? claimTags.unpaid : undefined,
    }))
    .sort((a, b) => b.weight - a.weight || (a.code < b.code ? -1 : 1))
}

/** How many are held after a day's close: of a long list a report names only a part. */
export const heldCount = ({ dates, hold_count }: Report['curves'], date: string): number | null => hold_count[dates.indexOf(date)] ?? null

/** What all positions are worth after a day's close, in yuan, those that a long list does not name too: all that is not cash. */
export const heldValue = ({ capital }: Report['settings'], { nav, cash }: Pick<DayDetail, 'nav' | 'cash'>): number =>
  nav * capital * 10_000 - cash
