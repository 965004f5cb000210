/**
 * Redemption payments of bonds (called or matured), as they are known on each day: a notice counts from the day after its publication. Interest and
 * dividends of positions are in `dividends-and-interest.ts`.
 */

import { dayNumber, noDay } from '../base/calendar.ts'
import { type Redemption, redemptionNotices, redemptionOf } from '../bond/redemption.ts'
import type { Panel } from '../panel/panel.ts'

/** What a bond pays when it ends, with the day of payment as an index of the panel's dates; `noDay`: after its last date. */
export interface Payment extends Redemption {
  readonly day: number
}

/** From this day of the panel on, until the next entry; null: it cannot be worked out. */
interface Entry {
  readonly from: number
  readonly payment: Payment | null
}

interface PaymentTable extends Pick<Panel, 'dates'> {
  readonly later: Panel['later'] | undefined
  /** Trading days. */
  readonly days: Float64Array
  /** By security, ascending; a hole where nobody has asked. */
  readonly of: (readonly Entry[] | undefined)[]
}

type Range = Pick<Panel, 'securities' | 'dates' | 'later'>

// Runs on one panel ask the same, of the few securities that end while they are held.
const tableBySecurities = new WeakMap<Panel['securities'], PaymentTable>()

/** What a bond pays when it ends, as it is known on a day of the panel; null where that cannot be worked out. */
export const paymentOf = (panel: Range, i: number, t: number): Payment | null =>
  entriesOf(panel, i).findLast(({ from }) => from <= t)!.payment

/** The first day from t on on which a claim is paid or is worth another payment; `noDay` when not within the data. */
export function claimChanges(panel: Range, i: number, t: number): number {
  const paymentDay = paymentOf(panel, i, t)?.day ?? noDay
  const nextNotice = entriesOf(panel, i).find(({ from }) => from >= t)?.from ?? noDay
  return Math.min(Math.max(paymentDay, t), nextNotice)
}

function entriesOf({ securities, dates, later }: Range, i: number): readonly Entry[] {
  let range = tableBySecurities.get(securities)
  if (range?.dates !== dates || range.later !== later) {
    range = { dates, later, days: Float64Array.from([...dates, ...(later ?? [])], dayNumber), of: [] }
    tableBySecurities.set(securities, range)
  }
  range.of[i] ??= workOut(securities[i], range.days, dates.length)
  return range.of[i]
}

function workOut(security: Panel['securities'][number], days: Float64Array, count: number): Entry[] {
  const noticeRows = redemptionNotices(security).map((date) => placeOf(date + 1, days, count))
  return [Number.NEGATIVE_INFINITY, ...noticeRows.filter((from) => from !== noDay)].map((from) => {
    const redemption = redemptionOf(security, days, from < 0 ? from : days[from])
    return { from, payment: redemption && { ...redemption, day: placeOf(redemption.paymentDay, days, count) } }
  })
}

/** The first day of the panel from a day on. */
function placeOf(day: number, days: Float64Array, count: number): number {
  const at = days.findIndex((each) => each >= day)
  return at >= 0 && at < count ? at : noDay
}
