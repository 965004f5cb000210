/** What notices say of the end of a bond, evening by evening: announcements beside the security, and the last trading day that follows from them. */
import { isDeepStrictEqual } from 'node:util'
import {
  type Announcement,
  type AnnouncementKind,
  type KnownLastDay,
  lastDayOn,
  lastDaysOf,
  noticeAhead,
  noticeOfEnd,
  type Security,
  withLastDay,
} from '@convexa/engine'
import type { CallRow } from '../../db/tables/fact-value.ts'
import { nextTradingDay } from '../../market/calendar.ts'
import { lastDayOfCall, lastDayOfMaturity, maturityKnownBefore, tradingDayBefore } from '../../market/last-trading-day.ts'

/** What a row of a list announces; null: nothing. */
export const announcementOf: Readonly<Record<CallRow['status'], AnnouncementKind | null>> = {
  // That the condition is met is counted, not announced.
  met: null,
  will_call: 'redeem_hint',
  called: 'redeem',
  matures: 'maturity',
  will_not_call: 'no_redeem',
}

/**
 * With what was published of calls up to a day. Two notices of one day and kind are one. What such a notice was heard to say after the day that
 * has it already is a notice of the day on which it was heard: nobody knew it before.
 */
export function withCalls(security: Security, calls: readonly CallRow[], day: string): Security {
  const before = security.announcements ?? []
  const all = [...before]
  for (const notice of noticesIn(calls)) {
    const { date, kind, ...said } = notice
    const own = all.findIndex((each) => each.date === date && each.kind === kind)
    if (own < 0) {
      all.push(notice)
      continue
    }
    const since = all.filter((each) => each.kind === kind && each.date >= date)
    const isStated = ([key, value]: [string, unknown]) => since.some((each) => each[key as keyof Announcement] === value)
    const news = Object.fromEntries(Object.entries(said).filter((fact) => !isStated(fact)))
    if (Object.keys(news).length === 0) continue
    const at = date < day ? all.findIndex((each) => each.date === day && each.kind === kind) : own
    if (at < 0) all.push({ date: day, kind, ...news })
    else all[at] = { ...all[at]!, ...news }
  }
  if (isDeepStrictEqual(all, before)) return security
  return { ...security, announcements: all.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)) }
}

/** One of each day and kind, with what was heard of it last. */
function noticesIn(calls: readonly CallRow[]): Announcement[] {
  const notices = new Map<string, Announcement>()
  for (const { announced: date, status, price, registerDate, lastTradingDay, callDate, paymentDate } of calls) {
    const kind = announcementOf[status]
    if (kind === null) continue
    const pays = kind === 'redeem' || kind === 'maturity'
    notices.set(`${date} ${kind}`, {
      ...notices.get(`${date} ${kind}`),
      date,
      kind,
      ...(price > 0 && pays && { price }),
      ...(registerDate !== null && { registration: registerDate }),
      ...(lastTradingDay && { lastTrading: lastTradingDay }),
      ...(callDate !== null && pays && { redemption: callDate }),
      ...(paymentDate !== undefined && paymentDate !== null && pays && { payment: paymentDate }),
    })
  }
  return [...notices.values()]
}

const isCall = (kind: AnnouncementKind): boolean => kind === 'redeem' || kind === 'redeem_execution'
const isEnd = (kind: AnnouncementKind): boolean => isCall(kind) || kind === 'maturity'

/** The notices of the end of a bond that traded last on a day, up to it: none of a call of years before that was waived. */
export function noticesOfEnd({ announcements = [] }: Security, lastDay: string): Announcement[] {
  const notices = announcements.filter(({ kind, date }) => isEnd(kind) && date <= lastDay)
  const first = noticeOfEnd(datesOf(notices), lastDay)
  return first === undefined ? [] : notices.filter(({ date }) => date >= first)
}

/** Whether a call stands on a day, of a bond that trades: its last day lies ahead, or its last notice is not long ago. */
function isCalledOn(security: Security, day: string): boolean {
  const calls = (security.announcements ?? []).filter(({ kind }) => isCall(kind))
  return calls.length > 0 && ((lastDayOn(security, day) ?? '') >= day || noticeAhead(datesOf(calls), day) !== undefined)
}

const datesOf = (notices: readonly Announcement[]): string[] => notices.map(({ date }) => date)

/** The last day of a bond that trades, as it is known in the evening of a day: stated, or by the rules of the exchanges. */
export function withLastDays(security: Security, day: string, isThere: boolean): Security {
  if (security.delisted !== null || (security.lastDay !== null && !isThere)) return security
  const { code, announcements = [], terms } = security
  const before = lastDaysOf(security)
  const ends = announcements.filter(({ kind }) => isEnd(kind))
  const first = noticeAhead(datesOf(ends), day)
  const notices = ends.flatMap(({ kind, date, lastTrading, registration }) => {
    const said = lastTrading ?? (registration && kind !== 'maturity' ? lastDayOfCall(code, registration) : null)
    const known = nextTradingDay(date)
    const isAhead = (first !== undefined && date >= first) || (said !== null && said >= day)
    return said && known && isAhead ? [{ known, day: said }] : []
  })
  const maturity = notices.length === 0 && !isCalledOn(security, day) && terms ? atMaturity(security) : null
  let entries = before
  for (const entry of maturity ? [maturity] : notices) {
    // What proved wrong before does not come back.
    if (entry.known <= (nextTradingDay(day) ?? day) && !entries.some((each) => each.day === entry.day))
      entries = withLastDay(entries, entry)
  }
  const last = entries.at(-1)?.day ?? null
  const tomorrow = nextTradingDay(day)
  if (isThere && last !== null && last < day && tomorrow) entries = withLastDay(entries, { known: tomorrow, day: null })
  return entries === before ? security : { ...security, lastDayKnown: entries[0]!.known, lastDays: entries }
}

/** By its terms, known some weeks before or from the notice of its maturity. */
function atMaturity({ terms, announcements = [] }: Security): KnownLastDay | null {
  const day = terms?.conversionEnd ? lastDayOfMaturity(terms.conversionEnd) : null
  const known = day && tradingDayBefore(day, maturityKnownBefore)
  if (!day || !known) return null
  const notice = announcements.find(({ kind }) => kind === 'maturity')
  const noticeDay = notice ? nextTradingDay(notice.date) : null
  return { known: noticeDay && noticeDay < known ? noticeDay : known, day }
}
