/** What the holders of a bond are paid when it is called or matures, and when (domain.md 5.7). Days are numbers (days since 1970). */

import { boards } from '@convexa/contract/enums/board'
import type { ExitReason } from '@convexa/contract/enums/exit-reason'
import { dayNumber, weekdayOf } from '../base/calendar.ts'
import type { Announcement, AnnouncementKind } from '../panel/bond-terms.ts'
import { lastDaysOf } from '../panel/last-day.ts'
import type { Panel, Security } from '../panel/panel.ts'
import { accruedInterest, interestYears } from './cash-flows.ts'
import { noticeOfEnd } from './notices-of-end.ts'

export interface Redemption {
  readonly reason: 'called' | 'matured'
  /** Yuan per 100 of face. */
  readonly price: number
  /** Interest runs up to this day: 赎回日, or that of the maturity. */
  readonly until: number
  /** The day of payment. */
  readonly paymentDay: number
}

/** What a redemption follows from. */
export type Redeemed = Pick<
  Security,
  'board' | 'lastDay' | 'exitReason' | 'redemptionPrice' | 'redemptionDay' | 'terms' | 'announcements'
> &
  Partial<Pick<Security, 'lastDayKnown' | 'lastDays'>>

const called: readonly AnnouncementKind[] = ['redeem', 'redeem_execution']
const matured: readonly AnnouncementKind[] = ['maturity']
/** A bond whose trading ends no earlier than so many days before its maturity has matured. */
const beforeMaturity = 25
/** Trading days from the redemption to the payment; Shanghai pays on the day itself. */
const shenzhenPays = 5

/**
 * Null where it cannot be worked out. `days`: trading days, ascending; behind the last of them every weekday counts as one. `today`: notices of
 * before this day are known. Of a bond that still trades it follows from the last day that is known of it.
 *
 * - A call pays the stated price, else 100 and the interest up to the redemption day; Shanghai on that day, Shenzhen five trading days later.
 * - A maturity pays the stated price on the first trading day after the last conversion day.
 */
export function redemptionOf(security: Redeemed, days: Float64Array, today: number = Number.POSITIVE_INFINITY): Redemption | null {
  const lastDay = security.lastDay ?? lastKnown(security)
  if (lastDay === null) return null
  const last = dayNumber(lastDay)
  const known = { ...security, announcements: ofEnd(security, lastDay).filter(({ date }) => dayNumber(date) < today) }
  const reason = reasonOf(known, lastDay)
  if (reason === null) return null
  return reason === 'called' ? callOf(known, last, days) : maturityOf(known, last, days)
}

/** What was published of the end itself, also behind the last day. */
function ofEnd({ announcements = [] }: Redeemed, lastDay: string): readonly Announcement[] {
  const notices = announcements.filter(({ kind }) => called.includes(kind) || matured.includes(kind))
  const first =
    noticeOfEnd(
      notices.map(({ date }) => date),
      lastDay,
    ) ?? lastDay
  return notices.filter(({ date }) => date >= first)
}

/** The days on which a notice of a redemption was published, ascending, each once: what is paid is known otherwise from the day after. */
export function redemptionNotices({ announcements = [] }: Redeemed): number[] {
  const dates = announcements.filter(({ kind }) => called.includes(kind) || matured.includes(kind)).map(({ date }) => dayNumber(date))
  return [...new Set(dates)]
}

/** Where one has proved wrong and no other is known yet, that one: how the bond ends is known all the same. */
const lastKnown = ({ lastDay, lastDayKnown = null, lastDays }: Redeemed): string | null =>
  lastDaysOf({ lastDay, lastDayKnown, ...(lastDays && { lastDays }) }).findLast(({ day }) => day !== null)?.day ?? null

/** What of the reasons to leave the market pays; null: nothing is paid. */
const redemptionReasons: Record<ExitReason, Redemption['reason'] | null> = {
  called: 'called',
  maturity: 'matured',
  small: null,
  delisted: null,
  unknown: null,
}

function reasonOf({ exitReason, redemptionPrice, terms, announcements = [] }: Redeemed, lastDay: string): Redemption['reason'] | null {
  if (exitReason !== undefined) return redemptionReasons[exitReason]
  const said = announcements.findLast(({ kind, date }) => (called.includes(kind) || matured.includes(kind)) && date <= lastDay)
  if (said !== undefined) return called.includes(said.kind) ? 'called' : 'matured'
  const maturity = terms?.maturityDate ?? null
  if (maturity !== null && dayNumber(maturity) - dayNumber(lastDay) <= beforeMaturity) return 'matured'
  return redemptionPrice === null ? null : 'called'
}

function callOf(security: Redeemed, last: number, days: Float64Array): Redemption | null {
  const { announcements = [], terms, redemptionDay, redemptionPrice } = security
  const said = statedOf(announcements, called)
  const stated = said.redemption ?? (redemptionDay !== undefined && dayNumber(redemptionDay) > last ? redemptionDay : undefined)
  const registered = said.registration === undefined ? registerDayOf(security, last, days) : dayNumber(said.registration)
  const until = stated === undefined ? tradingDayAfter(days, registered, 1) : dayNumber(stated)
  const price = said.price ?? redemptionPrice ?? 100 + (terms ? accruedInterest(interestYears(terms), until) : Number.NaN)
  const usual = isShanghai(security) ? tradingDayFrom(days, until) : tradingDayAfter(days, until, shenzhenPays)
  return redemption('called', price, until, said.payment, usual, last, days)
}

function maturityOf({ announcements = [], terms, redemptionPrice }: Redeemed, last: number, days: Float64Array): Redemption | null {
  const said = statedOf(announcements, matured)
  const price = said.price ?? redemptionPrice ?? terms?.maturityPrice ?? Number.NaN
  const end = terms?.conversionEnd ?? said.lastConversion
  // The maturity that lists write is mostly the day after the last conversion day.
  const usual =
    end !== undefined && end !== null
      ? tradingDayAfter(days, dayNumber(end), 1)
      : tradingDayFrom(days, terms?.maturityDate ? dayNumber(terms.maturityDate) : last + 1)
  return redemption('matured', price, terms?.maturityDate ? dayNumber(terms.maturityDate) : usual, said.payment, usual, last, days)
}

/** Nobody is paid before trading has ended. */
function redemption(
  reason: Redemption['reason'],
  price: number,
  until: number,
  stated: string | undefined,
  usual: number,
  last: number,
  days: Float64Array,
): Redemption | null {
  if (!(price > 0)) return null
  const paid = stated === undefined ? usual : tradingDayFrom(days, dayNumber(stated))
  return { reason, price, until, paymentDay: paid > last ? paid : tradingDayAfter(days, last, 1) }
}

/** Each fact as the newest of these notices that states it says it: a reminder without a price takes none away. */
function statedOf(announcements: readonly Announcement[], kinds: readonly AnnouncementKind[]) {
  const notices = announcements.filter(({ kind }) => kinds.includes(kind))
  const newest = <K extends keyof Announcement>(key: K): Announcement[K] | undefined =>
    notices.findLast((each) => each[key] !== undefined)?.[key]
  return {
    price: newest('price'),
    registration: newest('registration'),
    redemption: newest('redemption'),
    payment: newest('payment'),
    lastConversion: newest('lastConversion'),
  }
}

/** Register days of calls from here on lie three trading days behind the last trading day; before, trading mostly ended on them. */
const laterRegister = { shanghai: dayNumber('2022-08-12'), shenzhen: dayNumber('2022-08-31') }

/** The register day that a last trading day follows from, where nobody states it. */
function registerDayOf(security: Redeemed, last: number, days: Float64Array): number {
  const later = tradingDayAfter(days, last, 3)
  return later >= (isShanghai(security) ? laterRegister.shanghai : laterRegister.shenzhen) ? later : last
}

const isShanghai = ({ board }: Redeemed): boolean => boards[board].exchange === 'SSE'

/** The n-th trading day after a day. */
function tradingDayAfter(days: Float64Array, day: number, n: number): number {
  const at = firstAfter(days, day) + n - 1
  if (at < days.length) return days[at]
  let left = at - days.length + 1
  let next = Math.max(day, days.length > 0 ? days[days.length - 1] : day)
  while (left > 0) left -= Number(weekdayOf(++next) <= 5)
  return next
}

const tradingDayFrom = (days: Float64Array, day: number): number => tradingDayAfter(days, day - 1, 1)

/** Index of the first day behind a day. */
function firstAfter(days: Float64Array, day: number): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (days[middle] <= day) low = middle + 1
    else high = middle
  }
  return low
}

/** Which terms the data state of at least one bond: redemptions are worked out where they state both. */
export const statedTerms = ({ securities }: Pick<Panel, 'securities'>): { readonly valueDates: boolean; readonly coupons: boolean } => ({
  valueDates: securities.some(({ terms }) => terms && terms.valueDate !== null),
  coupons: securities.some(({ terms }) => terms?.coupons.some((coupon) => coupon !== null)),
})
