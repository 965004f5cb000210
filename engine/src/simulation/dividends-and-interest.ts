import { adjustments } from '@convexa/contract/enums/adjust'
import { executions } from '@convexa/contract/enums/execution'
import { dayNumber } from '../base/calendar.ts'
import { cashFlows } from '../bond/cash-flows.ts'
import { wrongExDay } from '../panel/ex-days.ts'
import type { Panel } from '../panel/panel.ts'
import type { Portfolio } from './portfolio.ts'
import { paymentOf } from './redemption-payments.ts'
import type { Simulation } from './simulation.ts'

// Cash dividends, bonus shares and bond interest of positions. What a bond pays at its end is in `redemption-payments.ts`.

/** Cash that a position received, in the order of days. */
export interface Payout {
  /** Index of the panel's dates. */
  readonly day: number
  readonly security: number
  /** Yuan. */
  readonly amount: number
}

/** What a holder gets on a day. */
export interface Due {
  readonly security: number
  /** Yuan for each unit held. */
  readonly cash: number
  /** New units for each unit held. */
  readonly ratio: number
  /** Prices go ex: not before it trades. */
  readonly isEx: boolean
}
/** By day. */
type Schedule = ReadonlyMap<number, readonly Due[]>

/** What the securities pay on the days of a run. */
interface Planned {
  readonly schedule: Schedule
  /** Shares whose recorded ex-days are paid; of the others the adjustment factor tells. */
  readonly recorded: ReadonlySet<number>
  /** Shares whose record does not agree with what their prices did, with the day: they keep to their factor. */
  readonly doubted: readonly { readonly security: number; readonly date: string }[]
}

interface Payouts extends Planned {
  /** What a run has put off to a day, before what is due then anyway. */
  readonly postponed: Map<number, Due[]>
}

interface Range extends Pick<Simulation, 'first' | 'last'> {
  readonly dates: Panel['dates']
  readonly planned: Planned
}

// Cells of a grid and the sweeps of a report are run on the same days, and to find what thousands of terms pay takes longer than a run.
const rangeBySecurities = new WeakMap<Panel['securities'], Range>()

/**
 * Payments by day of the securities of a realistic run on raw prices: interest of bonds with known terms, dividends and new shares of
 * stocks with known ex-days. They are due on the first trading day on or after their date, for positions from before it, and before tax (as
 * redemptions are). Null where nothing is known. Textbook runs leave them out (the reference cases do).
 */
export function payoutsOf({ panel, settings, first, last }: Simulation): Payouts | null {
  if (executions[settings.execution].frictionless || adjustments[settings.adjust].adjusted) return null
  const planned = plannedFor({ panel, first, last })
  return planned.schedule.size > 0 || planned.doubted.length > 0 ? { ...planned, postponed: new Map() } : null
}

/** All that the securities pay on the days of a run, whether it counts it or leaves it out. */
export function scheduleFor(range: Pick<Simulation, 'panel' | 'first' | 'last'>): Schedule {
  return plannedFor(range).schedule
}

function plannedFor({ panel, first, last }: Pick<Simulation, 'panel' | 'first' | 'last'>): Planned {
  const { dates, securities } = panel
  let range = rangeBySecurities.get(securities)
  if (range?.dates !== dates || range.first !== first || range.last !== last) {
    range = { dates, first, last, planned: plan(panel, first, last) }
    rangeBySecurities.set(securities, range)
  }
  return range.planned
}

/**
 * Whether a bond pays the interest of a date, on the panel's day t: after its last trading day up to its redemption; where nobody knows that, not.
 * A notice may state the price of a redemption on the day of a coupon with the whole year's interest in it: then that is all.
 */
function paysInterest(panel: Panel, security: number, due: { readonly date: number; readonly cash: number }, t: number): boolean {
  const { lastDay } = panel.securities[security]
  if (lastDay === null) return true
  const payment = paymentOf(panel, security, t)
  if (payment === null) return due.date <= dayNumber(lastDay)
  return due.date < payment.until || (due.date === payment.until && payment.price < 100 + due.cash - halfACent)
}

/** Prices of notices are rounded to the cent. */
const halfACent = 0.005

function plan(panel: Panel, first: number, last: number): Planned {
  const { dates, securities, stride, traded, columns } = panel
  const days = Float64Array.from(dates, dayNumber)
  const prices = {
    ...{ dates, stride, traded, close: columns.get('close') as Float64Array },
    ...{ previous: columns.get('pre_close') ?? null, factor: columns.get('adj_factor') ?? null },
  }
  const schedule = new Map<number, Due[]>()
  const recorded = new Set<number>()
  const doubted: { security: number; date: string }[] = []
  /** The day of the run on which what is paid on a date comes; −1: on none. */
  const dayOf = (date: number): number => {
    if (date <= (days[first - 1] ?? Number.NEGATIVE_INFINITY) || date > days[last]) return -1
    let day = first
    while (days[day] < date) day++
    return day
  }
  securities.forEach(({ terms, exDays }, security) => {
    const flows = cashFlows(terms, 'maturity')
    // The last flow is the redemption; of a year without a known coupon nobody knows what it paid.
    for (let k = 0; flows !== null && k < flows.days.length - 1; k++) {
      const due = { date: flows.days[k], cash: flows.amounts[k] }
      const day = dayOf(due.date)
      if (due.cash === due.cash && day >= 0 && paysInterest(panel, security, due, day))
        append(schedule, day, { security, cash: due.cash, ratio: 0, isEx: false })
    }
    if (exDays === undefined) return
    const wrong = wrongExDay(prices, security, exDays, dates[first], dates[last])
    if (wrong !== null) {
      doubted.push({ security, date: wrong.date })
      return
    }
    recorded.add(security)
    for (const { date, cash, ratio } of exDays) {
      const day = dayOf(dayNumber(date))
      if (day >= 0) append(schedule, day, { security, cash, ratio, isEx: true })
    }
  })
  return { schedule, recorded, doubted }
}

function append(schedule: Map<number, Due[]>, day: number, due: Due): void {
  const others = schedule.get(day)
  if (others) others.push(due)
  else schedule.set(day, [due])
}

/** How many shares whose record is not believed are named. */
const mostDoubted = 5

/** The warning of shares whose recorded ex-days are not believed; null without any. */
export function doubtWarning({ doubted }: Payouts, { securities }: Panel): string | null {
  if (doubted.length === 0) return null
  const named = doubted
    .slice(0, mostDoubted)
    .map(({ security, date }) => `${securities[security].name}（${securities[security].code}，${date}）`)
  const rest = doubted.length > named.length ? `等 ${doubted.length} 只` : ''
  return `${named.join('、')}${rest}的分红送转记录与前收盘价或复权因子不符，未采用，按复权因子折算`
}

/** What positions got on a day, by security: yuan, and units. */
export interface Received {
  readonly cash: ReadonlyMap<number, number>
  readonly units: ReadonlyMap<number, number>
}

/** Decimals that binary numbers fall short of: 700 · 1.1 is 770.0000000000001, 300 · 1.1 may be a hair below 330. */
const hair = 1e-6

/** Whole shares are entered in the register: the fraction of one that a bonus issue leaves is lost. */
const newUnits = (position: number, ratio: number): number =>
  ratio > 0 ? Math.max(0, Math.floor(position * (1 + ratio) + hair) - position) : 0

/** Pays what is due on a day; what is suspended goes ex on the day it trades again, one ex-day after the other. */
export function payOut(
  { schedule, postponed }: Payouts,
  portfolio: Portfolio,
  { traded, stride }: Panel,
  t: number,
  payouts: Payout[],
): Received | null {
  const planned = schedule.get(t)
  const late = postponed.size > 0 ? postponed.get(t) : undefined
  if (planned === undefined && late === undefined) return null
  const cash = new Map<number, number>()
  const units = new Map<number, number>()
  for (const due of [...(late ?? []), ...(planned ?? [])]) {
    const { security } = due
    const position = portfolio.units[security]
    if (position === 0) continue
    if (due.isEx && traded[t * stride + security] === 0) {
      append(postponed, t + 1, due)
      continue
    }
    const amount = position * due.cash
    const added = newUnits(position, due.ratio)
    portfolio.receive(security, amount, added)
    // What a claim is worth is its payment.
    if (!portfolio.claims.includes(security)) portfolio.price[security] = (portfolio.price[security] - due.cash) / (1 + due.ratio)
    if (amount > 0) payouts.push({ day: t, security, amount })
    cash.set(security, (cash.get(security) ?? 0) + amount)
    units.set(security, (units.get(security) ?? 0) + added)
  }
  return cash.size > 0 ? { cash, units } : null
}
