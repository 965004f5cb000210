import { type Redemption, redemptionOf } from '../bond/redemption.ts'
import { dayNumber, never } from '../panel/calendar.ts'
import type { Panel } from '../panel/panel.ts'

/** What a bond pays when it ends, with the day of payment as an index of the panel's dates; `never`: behind its data. */
export interface Payment extends Redemption {
  readonly day: number
}

interface Known extends Pick<Panel, 'dates'> {
  readonly later: Panel['later'] | undefined
  /** Trading days. */
  readonly days: Float64Array
  /** By security; a hole where nobody has asked. */
  readonly of: (Payment | null | undefined)[]
}

// Runs on one panel ask the same, of the few securities that end while they are held.
const known = new WeakMap<Panel['securities'], Known>()

/** What a bond pays when it ends; null where that cannot be worked out. */
export function paymentOf({ securities, dates, later }: Pick<Panel, 'securities' | 'dates' | 'later'>, i: number): Payment | null {
  let range = known.get(securities)
  if (range?.dates !== dates || range.later !== later) {
    range = { dates, later, days: Float64Array.from([...dates, ...(later ?? [])], dayNumber), of: [] }
    known.set(securities, range)
  }
  const found = range.of[i]
  if (found !== undefined) return found
  const redemption = redemptionOf(securities[i], range.days)
  const made = redemption && { ...redemption, day: placeOf(redemption.paid, range.days, dates.length) }
  range.of[i] = made
  return made
}

function placeOf(day: number, days: Float64Array, count: number): number {
  const at = days.findIndex((each) => each >= day)
  return at >= 0 && at < count ? at : never
}
