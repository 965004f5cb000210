import { cashFlows } from '../bond/cash-flows.ts'
import { dayNumber } from '../panel/calendar.ts'
import type { Portfolio } from './portfolio.ts'
import type { Simulation } from './simulate.ts'

/** Cash that positions were paid, in the order of days. */
export interface Payout {
  /** Index of the panel's dates. */
  readonly day: number
  readonly security: number
  /** Yuan. */
  readonly amount: number
}

/** By day: what one unit of a security is paid. */
type Schedule = ReadonlyMap<number, readonly { readonly security: number; readonly perUnit: number }[]>

/**
 * Interest of bonds in realistic runs, on the first trading day on or after the day of payment, to whoever held before it: before
 * tax, as the redemption is. Null where nothing of it is known. Textbook runs leave it out (the reference cases do).
 */
export function couponsOf({ panel, market, settings, first, last }: Simulation): Schedule | null {
  if (!market.redeemed || settings.execution === 'ideal' || settings.adjust !== 'raw') return null
  const days = Float64Array.from(panel.dates, dayNumber)
  const schedule = new Map<number, { security: number; perUnit: number }[]>()
  panel.securities.forEach(({ terms }, security) => {
    const flows = cashFlows(terms, 'maturity')
    if (flows === null) return
    // The last flow is the redemption.
    for (let k = 0; k < flows.days.length - 1; k++) {
      if (flows.days[k] <= (days[first - 1] ?? Number.NEGATIVE_INFINITY) || flows.days[k] > days[last]) continue
      let day = first
      while (days[day] < flows.days[k]) day++
      const due = schedule.get(day)
      const one = { security, perUnit: flows.amounts[k] }
      if (due) due.push(one)
      else schedule.set(day, [one])
    }
  })
  return schedule.size > 0 ? schedule : null
}

/** Pays what is due on a day; tells what each security was paid. */
export function payOut(schedule: Schedule, portfolio: Portfolio, t: number, paid: Payout[]): ReadonlyMap<number, number> | null {
  let today: Map<number, number> | null = null
  for (const { security, perUnit } of schedule.get(t) ?? []) {
    const amount = portfolio.units[security] * perUnit
    if (amount === 0) continue
    portfolio.receive(security, amount)
    paid.push({ day: t, security, amount })
    today ??= new Map()
    today.set(security, amount)
  }
  return today
}
