/**
 * Terms and announcements of the demo bonds: terms from their life cycles, announcements for every step of their status, and
 * refusals to revise. An announcement is dated the evening before the first day that knows of it. Nothing here moves a price.
 */
import type { Announcement, BondTerms } from '@convexa/engine'
import { addDays } from '../calendar.ts'
import { type BondLife, clause } from './bond-lives.ts'
import { Random } from './random.ts'

/** Most issuers that meet the condition for a revision promise not to revise, for three or six months. */
const refusal = { chance: 0.92, days: [90, 180] } as const
const put = { chance: 0.9, days: 30, trigger: 0.7, years: 2 }

export function termsOf(seed: number, life: BondLife): BondTerms {
  const random = new Random(seed, 'terms', life.index)
  const { maturity, convertible, issued, coupons, maturityPrice, size } = life
  const from = addDays(maturity, -Math.round(put.years * 365))
  return {
    issueSize: size,
    valueDate: issued,
    maturityDate: maturity,
    conversionStart: convertible,
    conversionEnd: maturity,
    coupons,
    maturityPrice,
    redeem: { days: clause.days, window: clause.window, trigger: clause.call },
    reset: { days: clause.days, window: clause.window, trigger: clause.reset },
    // Banks and a few others have no put.
    put: random.chance(put.chance) ? { days: put.days, window: put.days, trigger: put.trigger, from } : null,
    guaranteed: random.chance(0.12),
    revisionsKnown: true,
  }
}

/** `calendar`: trading days from the market's first day on, those soon to come included. */
export function announcementsOf(seed: number, life: BondLife, calendar: readonly string[]): Announcement[] {
  // What was published before the market's first day is not known.
  const announcements = life.events.flatMap(({ kind, row, untilRow, lastRow, price }): Announcement[] => {
    const date = calendar[row - 1]
    if (date === undefined) return []
    const lastConversion = lastRow === undefined ? null : dateOf(calendar, lastRow)
    return [
      {
        date,
        kind,
        ...(kind === 'reset' && { effective: dateOf(calendar, row) }),
        ...(untilRow !== undefined && { until: dateOf(calendar, untilRow) }),
        ...(lastConversion !== null && { lastConversion, registration: lastConversion }),
        ...(price !== undefined && { price }),
      },
    ]
  })
  return [...announcements, ...refusals(seed, life, calendar, announcements)].sort((a, b) =>
    a.date < b.date ? -1 : a.date > b.date ? 1 : 0,
  )
}

function refusals(seed: number, life: BondLife, calendar: readonly string[], announcements: readonly Announcement[]): Announcement[] {
  const random = new Random(seed, 'refusals to revise', life.index)
  const refused: Announcement[] = []
  // The count begins again after a promise, so a window's days must have gone by before the next one.
  let next = Math.max(0, life.listedRow)
  for (const row of life.weak) {
    if (row < next) continue
    const date = calendar[row]!
    const until = addDays(date, random.pick(refusal.days.map((days) => [days, 1] as const)))
    next = row + clause.days
    // An issuer that is about to propose a revision does not promise otherwise.
    const proposed = announcements.some((each) => each.kind === 'reset_proposal' && each.date <= until && addDays(each.date, 30) >= date)
    if (!random.chance(refusal.chance) || proposed) continue
    refused.push({ date, kind: 'no_reset', until })
    while (next < calendar.length && calendar[next]! <= addDays(until, 21)) next++
  }
  return refused
}

/** Beyond the days that are known about as many as there are weekdays. */
function dateOf(calendar: readonly string[], row: number): string {
  return calendar[row] ?? addDays(calendar.at(-1)!, Math.ceil(((row - calendar.length + 1) * 7) / 5))
}
