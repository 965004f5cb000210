import { cashFlows } from '../bond/cash-flows.ts'
import { dayNumber } from '../panel/calendar.ts'
import type { Panel } from '../panel/panel.ts'
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

/** What a holder gets on a day. */
interface Due {
  readonly security: number
  /** Yuan a unit. */
  readonly cash: number
  /** New units a unit. */
  readonly units: number
  /** Prices go ex: not before it trades. */
  readonly isEx: boolean
}
export type Schedule = Map<number, Due[]>

/**
 * What the securities of a realistic run on raw prices pay, by day: interest of bonds whose terms are known, dividends and new shares
 * of those whose ex-days are. It is due on the first trading day on or after its date, to whoever held before it, before tax (as the
 * redemption is). Null where nothing is known. Textbook runs leave it out (the reference cases do).
 */
export function payoutsOf({ panel, settings, first, last }: Simulation): Schedule | null {
  if (settings.execution === 'ideal' || settings.adjust !== 'raw') return null
  const days = Float64Array.from(panel.dates, dayNumber)
  const schedule: Schedule = new Map()
  const add = (date: number, due: Due) => {
    if (date <= (days[first - 1] ?? Number.NEGATIVE_INFINITY) || date > days[last]) return
    let day = first
    while (days[day] < date) day++
    postpone(schedule, day, due)
  }
  panel.securities.forEach(({ terms, exDays }, security) => {
    const flows = cashFlows(terms, 'maturity')
    // The last flow is the redemption.
    for (let k = 0; flows !== null && k < flows.days.length - 1; k++)
      add(flows.days[k], { security, cash: flows.amounts[k], units: 0, isEx: false })
    for (const { date, cash, ratio } of exDays ?? []) add(dayNumber(date), { security, cash, units: ratio, isEx: true })
  })
  return schedule.size > 0 ? schedule : null
}

function postpone(schedule: Schedule, day: number, due: Due): void {
  const known = schedule.get(day)
  if (known) known.push(due)
  else schedule.set(day, [due])
}

/** What positions got on a day, by security: yuan, and units. */
export interface Received {
  readonly cash: ReadonlyMap<number, number>
  readonly units: ReadonlyMap<number, number>
}

/** Pays what is due on a day; what is suspended goes ex on the day it trades again. */
export function payOut(schedule: Schedule, portfolio: Portfolio, { traded, stride }: Panel, t: number, paid: Payout[]): Received | null {
  const cash = new Map<number, number>()
  const units = new Map<number, number>()
  for (const due of schedule.get(t) ?? []) {
    const { security } = due
    const held = portfolio.units[security]
    if (held === 0) continue
    if (due.isEx && traded[t * stride + security] === 0) {
      postpone(schedule, t + 1, due)
      continue
    }
    const amount = held * due.cash
    portfolio.receive(security, amount, held * due.units)
    portfolio.price[security] = (portfolio.price[security] - due.cash) / (1 + due.units)
    if (amount > 0) paid.push({ day: t, security, amount })
    cash.set(security, amount)
    units.set(security, held * due.units)
  }
  return cash.size > 0 ? { cash, units } : null
}
