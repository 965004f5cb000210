import type { Settings } from '@convexa/contract'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { dayNumber, firstFrom, lastUpTo, noDay, weekday } from '../base/calendar.ts'
import { statedTerms } from '../bond/redemption.ts'
import { type KnownLastDay, lastDaysOf } from '../panel/last-day.ts'
import type { Panel } from '../panel/panel.ts'
import type { Market } from './market.ts'

/** Days by security, as indices of the panel's dates; `noDay` where there is none. */
export interface Exits {
  /** Last trading day; of a run that knows what was known, the day before its end was, if that is later. */
  readonly last: Int32Array
  /** From when it is sold and not bought any more, nor more of it: the day of its exit, or when its last day gets known after that. */
  readonly leave: Int32Array
  /** Bonds wait for their redemption instead of being sold on their last day, where what it pays is known (`paymentOf`). */
  readonly waits: boolean
  /** A bond whose end nobody knew before it was over, and whose payment cannot be worked out, stays in the book: the market has terms. */
  readonly keepsUnpaid: boolean
}

/**
 * Exit dates of securities, and since when they are known: ideal runs read the last day from the data, realistic runs and
 * screens know it from its announcement (point in time). `call_handling` is of markets whose securities are redeemed.
 */
export function exitsOf(panel: Panel, market: Market, handling: Settings['call_handling'], pointInTime: boolean): Exits {
  const { securities, dates, nextDay } = panel
  const last = made.get(securities)
  const isSame =
    last?.market === market &&
    last.dates === dates &&
    last.nextDay === nextDay &&
    last.handling === handling &&
    last.pointInTime === pointInTime
  if (last && isSame) return last.exits
  const exits = workOut(panel, market, handling, pointInTime)
  made.set(securities, { market, dates, nextDay, handling, pointInTime, exits })
  return exits
}

interface Made extends Pick<Panel, 'dates'> {
  readonly nextDay: Panel['nextDay'] | undefined
  readonly market: Market
  readonly handling: Settings['call_handling']
  readonly pointInTime: boolean
  readonly exits: Exits
}

// Runs on one panel mostly ask the same, and thousands of securities take longer to look through than a cell of a grid.
const made = new WeakMap<Panel['securities'], Made>()

function workOut(panel: Panel, market: Market, handling: Settings['call_handling'], pointInTime: boolean): Exits {
  const { dates, securities } = panel
  const last = new Int32Array(securities.length).fill(noDay)
  const leave = new Int32Array(securities.length).fill(noDay)
  const before = market.redeemed ? callHandlings[handling].daysBefore : 0
  const end = dates[dates.length - 1]
  /** The day of the exit from a security whose last day is said to be that one. */
  const exitOf = (day: string | null): number => {
    if (day !== null && day <= end) return lastUpTo(dates, day) - before
    return before > 0 && day !== null && isNextDay(panel, day) ? dates.length - 1 : noDay
  }
  securities.forEach((security, i) => {
    const { lastDay } = security
    const entries = lastDaysOf(security)
    // A last day that is no trading day of the panel is the trading day before it.
    if (lastDay !== null && lastDay <= end) last[i] = lastUpTo(dates, lastDay)
    const known = entries.find(({ day }) => day === lastDay)?.known
    // Until somebody knew that it was over it was held.
    if (pointInTime && last[i] !== noDay && known !== undefined) last[i] = Math.max(last[i], firstFrom(dates, known) - 1)
    leave[i] = pointInTime ? firstExit(entries, dates, exitOf) : exitOf(lastDay)
  })
  const { valueDates, coupons } = statedTerms(panel)
  return {
    ...{ last, leave, waits: market.redeemed && callHandlings[handling].redeemed },
    keepsUnpaid: market.redeemed && valueDates && coupons,
  }
}

/** The first day on which what was known of it said that it leaves; an entry stands until the next one. */
function firstExit(entries: readonly KnownLastDay[], dates: readonly string[], exitOf: (day: string | null) => number): number {
  for (const [k, { known, day }] of entries.entries()) {
    const from = firstFrom(dates, known)
    const next = entries[k + 1]
    const until = next ? firstFrom(dates, next.known) : dates.length
    const exit = Math.max(exitOf(day), from)
    if (exit < until) return exit
  }
  return noDay
}

/** Whether a date behind the data is no later than the next trading day; where no calendar tells that one, than the next weekday. */
function isNextDay({ dates, nextDay }: Panel, later: string): boolean {
  if (nextDay) return later <= nextDay
  const date = dates[dates.length - 1]
  const today = weekday(date)
  return dayNumber(later) - dayNumber(date) <= (today === 5 ? 3 : today === 6 ? 2 : 1)
}

/**
 * By security: the day from which lists of a close leave it out. A list is traded on the day after, which must not be the last day of the
 * security: bought then, it could not be sold any more.
 */
export function exitDatesFor(panel: Panel, market: Market): Int32Array {
  return exitsOf(panel, market, 't_minus_1_close', true).leave
}
