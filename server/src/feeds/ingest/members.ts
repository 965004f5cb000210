/** Who belongs to a market on a day: the securities known before, what lists and announcements say of them now, and who is new. */
import { isDeepStrictEqual } from 'node:util'
import type { ExitReason } from '@convexa/contract/enums/exit-reason'
import {
  type Announcement,
  type AnnouncementKind,
  type BondTerms,
  type KnownLastDay,
  lastDayOn,
  lastDaysOf,
  redeemCounts,
  type Security,
  unknownTerms,
  withLastDay,
} from '@convexa/engine'
import { earlyReason, isLeavingName, metBefore, smallSize } from '../../market/bond-ends.ts'
import { addDays, nextTradingDay } from '../../market/calendar.ts'
import { initials } from '../../market/import/arrange.ts'
import { boardOfBond, boardOfStock } from '../../market/import/code.ts'
import type { ListSpan } from '../../market/import/companions.ts'
import { lastDayOfCall, lastDayOfMaturity, maturityKnownBefore, tradingDayBefore } from '../../market/last-trading-day.ts'
import type { BondRow, CallRow, StockRow } from '../rows.ts'
import { clausesIn, unreadClauses } from './clauses.ts'
import type { Facts } from './facts.ts'
import { nameOn } from './names.ts'
import type { Past } from './past.ts'

/** What a list says of a security. */
export interface Entry {
  readonly code: string
  readonly name: string
  readonly listed: string | null
  readonly delisted: string | null
  readonly stockCode?: string
  readonly stockName?: string
  readonly attributes: Readonly<Record<string, string>>
  readonly terms?: BondTerms
  /** Clauses whose words cannot be read (bonds). */
  readonly unread?: readonly (keyof BondRow['clauses'])[]
}

export interface Members {
  readonly securities: readonly Security[]
  readonly placeOf: ReadonlyMap<string, number>
  /** 1 = inside its listing window on the day. */
  readonly listed: Uint8Array
}

export const entryOfStock = ({ code, name, industry, listed, delisted }: StockRow): Entry => ({
  code,
  name,
  listed,
  delisted,
  attributes: industry === null ? {} : { industry_1: industry },
})

export function entryOfBond(row: BondRow): Entry {
  const { code, name, listed, delisted, stockCode, stockName, maturityDate } = row
  const number = (value: number) => (value === value ? value : null)
  const clauses = clausesIn(row)
  const terms: BondTerms = {
    ...unknownTerms,
    issueSize: number(row.issueSize),
    valueDate: row.valueDate,
    maturityDate,
    conversionStart: row.conversionStart,
    conversionEnd: row.conversionEnd,
    // Theirs are fractions, ours yuan per 100 of face; a product of decimals is rounded back to what was written.
    coupons: row.coupons.map((coupon) => coupon && Number((coupon * 100).toFixed(6))),
    maturityPrice: number(row.maturityPrice),
    ...clauses,
  }
  return {
    code,
    name,
    listed,
    delisted,
    ...(stockCode !== '' && { stockCode }),
    ...(stockName !== null && { stockName }),
    attributes: {},
    terms,
    unread: unreadClauses(row, clauses),
  }
}

/** What else says how a bond ended. */
export interface EndGround {
  /** Days that lists of announcements of calls cover. */
  readonly callLists?: readonly ListSpan[]
  /** By share that the list says is over: the first day on which it is not listed. */
  readonly shareEnds?: ReadonlyMap<string, string>
  /** What the list calls the shares. */
  readonly stockNames?: ReadonlyMap<string, string>
}

/**
 * @param entries what the list says, by code; null: no list was to be had, then whoever was there stays
 * @param there codes that the day's table names
 * @param isListing whether a code that is new that day was listed on it, where no list says when
 */
export function membersOf(
  past: Pick<Past, 'kind' | 'securities' | 'dates' | 'stride' | 'listed' | 'counted' | 'lastTraded'>,
  day: string,
  entries: ReadonlyMap<string, Entry> | null,
  facts: Facts,
  there: ReadonlySet<string>,
  isListing: (code: string) => boolean = () => true,
  ends: EndGround = {},
): Members {
  const { kind } = past
  const known = new Map(past.securities.map((security, place) => [security.code, { security, place }]))
  const codes = [...new Set([...known.keys(), ...there])].sort()
  const last = past.dates.length - 1
  const listed = new Uint8Array(codes.length)
  const metBeforeEnd = metBeforeEndIn(past, ends.callLists)
  const securities = codes.map((code, i): Security => {
    const before = known.get(code)
    const entry = entries?.get(code)
    const was = before !== undefined && last >= 0 && past.listed[last * past.stride + before.place] === 1
    const isOver = entry?.delisted != null && entry.delisted <= day
    const begins = entry?.listed ?? before?.security.listed ?? null
    const security = before ? told(before.security, entry) : born(kind, code, entry, past.dates.length > 0 && isListing(code) ? day : null)
    const announced = kind === 'cb' ? withLastDays(withCalls(security, facts.calls.get(code) ?? [], day), day, there.has(code)) : security
    const end = kind === 'cb' && !there.has(code) ? pastLastDay(announced, day) : null
    const stays = was || (begins !== null && begins <= day && announced.delisted === null)
    const isThere = there.has(code) || (!isOver && end === null && stays)
    listed[i] = isThere ? 1 : 0
    if (isThere && announced.lastDay !== null && announced.delisted === null) return goesOn(announced)
    if (isThere || announced.delisted !== null || !before) return announced
    if (announced.lastDay !== null) return isOver ? { ...announced, delisted: entry.delisted } : announced
    if (!was) return announced
    const lastDay = end ?? past.lastTraded(before.place)
    const gone = ended(announced, { delisted: entry?.delisted ?? (end === null ? day : null), lastDay, today: day })
    return { ...gone, exitReason: reasonOf(kind, gone, facts, ends, () => metBeforeEnd(before.place, lastDay)) }
  })
  return { securities, placeOf: new Map(codes.map((code, i) => [code, i])), listed }
}

/** The last day that was known of a bond, once it has passed: then it has ended, whenever it is delisted. */
function pastLastDay(security: Security, day: string): string | null {
  const last = security.lastDay ?? lastDayOn(security, day)
  return last !== null && last < day ? last : null
}

/** It was taken to have ended by a day that proved wrong. */
const goesOn = ({ exitReason: _, ...security }: Security): Security => ({ ...security, lastDay: null, redemptionPrice: null })

/** A security seen for the first time; `day`: its listing, where the list does not state one. Whoever is there on a market's first day was listed before it. */
function born(kind: Past['kind'], code: string, entry: Entry | undefined, day: string | null): Security {
  const name = entry?.name ?? code
  return {
    code,
    name,
    pinyin: initials(name),
    board: kind === 'cb' ? boardOfBond(code, entry?.stockCode) : boardOfStock(code),
    listed: entry?.listed ?? day,
    delisted: null,
    lastDay: null,
    lastDayKnown: null,
    redemptionPrice: null,
    issuer: entry?.stockCode ?? code,
    ...(entry?.stockCode !== undefined && { stockCode: entry.stockCode }),
    ...(entry?.stockName !== undefined && { stockName: entry.stockName }),
    attributes: entry?.attributes ?? {},
    ...(entry?.terms && { terms: entry.terms }),
  }
}

/** What a list says anew of a known security. Terms, dates and its share do not change: only what was not known is filled. */
function told(security: Security, entry: Entry | undefined): Security {
  if (!entry) return security
  const { name, terms, listed, stockCode, stockName } = entry
  const isJoined = !security.stockCode && stockCode !== undefined
  return {
    ...(security.stockCode === '' ? withoutShare(security) : security),
    ...(name !== security.name && { name, pinyin: initials(name) }),
    // What was not known on its first day hangs on its share.
    ...(isJoined && { stockCode, issuer: stockCode, board: boardOfBond(security.code, stockCode) }),
    ...(isJoined && stockName !== undefined && { stockName }),
    listed: security.listed ?? listed,
    attributes: { ...security.attributes, ...entry.attributes },
    ...(terms && { terms: security.terms ? filled(security.terms, terms) : terms }),
  }
}

/** Days of an earlier version were published with an empty share, which all such bonds had in common. */
const withoutShare = ({ stockCode: _, ...security }: Security): Security => ({
  ...security,
  ...{ issuer: security.code, board: boardOfBond(security.code, undefined) },
})

const isKnown = (value: unknown): boolean => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)

function filled(known: BondTerms, now: BondTerms): BondTerms {
  const coupons = Array.from(
    { length: Math.max(known.coupons.length, now.coupons.length) },
    (_, year) => known.coupons[year] ?? now.coupons[year] ?? null,
  )
  return { ...now, ...Object.fromEntries(Object.entries(known).filter(([, value]) => isKnown(value))), coupons }
}

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
function withCalls(security: Security, calls: readonly CallRow[], day: string): Security {
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
    const isTold = ([key, value]: [string, unknown]) => since.some((each) => each[key as keyof Announcement] === value)
    const news = Object.fromEntries(Object.entries(said).filter((fact) => !isTold(fact)))
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

const ends: readonly AnnouncementKind[] = ['redeem', 'redeem_execution', 'maturity']

/** The last day of a bond that trades, as it is known in the evening of a day: stated, or by the rules of the exchanges. */
function withLastDays(security: Security, day: string, isThere: boolean): Security {
  if (security.delisted !== null || (security.lastDay !== null && !isThere)) return security
  const { code, announcements = [], terms } = security
  const before = lastDaysOf(security)
  const notices = announcements.flatMap(({ kind, date, lastTrading, registration }) => {
    const said = ends.includes(kind)
      ? (lastTrading ?? (registration && kind !== 'maturity' ? lastDayOfCall(code, registration) : null))
      : null
    const known = nextTradingDay(date)
    return said && known ? [{ known, day: said }] : []
  })
  const isCalled = announcements.some(({ kind }) => kind === 'redeem' || kind === 'redeem_execution')
  const maturity = notices.length === 0 && !isCalled && terms ? atMaturity(security) : null
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
  const heard = notice ? nextTradingDay(notice.date) : null
  return { known: heard && heard < known ? heard : known, day }
}

/** A bond whose trading ends no earlier than so many days before its maturity has matured. */
const beforeMaturity = 25

/**
 * Why it left, as far as what was published says it: a share by its list, a bond by its notices and its term. Of others the rule of imports decides;
 * `isMet`: whether the call clause was met shortly before.
 */
function reasonOf(
  kind: Past['kind'],
  { code, lastDay, terms, announcements = [], stockCode = '' }: Security,
  facts: Facts,
  { callLists = [], shareEnds, stockNames }: EndGround,
  isMet: () => boolean | null,
): ExitReason {
  if (kind !== 'cb') return 'delisted'
  const said = announcements.findLast(({ kind: what, date }) => ends.includes(what) && date <= (lastDay ?? date))
  if (said) return said.kind === 'maturity' ? 'maturity' : 'called'
  if (lastDay === null) return 'unknown'
  if (terms?.maturityDate && addDays(lastDay, beforeMaturity) >= terms.maturityDate) return 'maturity'
  const size = facts.remainingSizes.get(code)?.findLast(({ announced }) => announced <= lastDay)?.size
  return earlyReason({
    ...{ lastDay, callLists, isMet: isMet(), isSmall: size !== undefined && size < smallSize },
    shareEnd: shareEnds?.get(stockCode) ?? null,
    isShareLeaving: isLeavingName(nameOn(facts.names.get(stockCode), lastDay) ?? stockNames?.get(stockCode)),
  })
}

/** Whether the call clause of a bond was met shortly before its last day; null where its days cannot be counted. The days are counted once, if at all. */
function metBeforeEndIn(
  { counted, securities, stride }: Pick<Past, 'counted' | 'securities' | 'stride'>,
  callLists: EndGround['callLists'],
) {
  let counts: Float64Array | null | undefined
  return (place: number, lastDay: string | null): boolean | null => {
    if (!counted || lastDay === null) return null
    const table = { ...counted, securities, stride, ...(callLists && { callLists }) }
    counts ??= redeemCounts(table)?.counts ?? null
    const lastRow = counted.dates.indexOf(lastDay)
    const met = counts && metBefore(table, counts, securities[place]?.terms?.redeem?.days ?? Number.NaN, place, lastRow)
    return met === null ? null : met >= 0
  }
}

interface End {
  readonly delisted: string | null
  readonly lastDay: string | null
  readonly today: string
}

/** It is over: the day on which it traded last is known from today on, where it is not what was known before. */
function ended(security: Security, { delisted, lastDay, today }: End): Security {
  const price = security.announcements?.findLast(
    ({ kind, date, price }) => ends.includes(kind) && date < (lastDay ?? '') && price !== undefined,
  )?.price
  const before = lastDaysOf(security)
  // An end without a notice is known from today on: until then it was held.
  const entries = lastDay === null ? before : withLastDay(before, { known: today, day: lastDay })
  return {
    ...security,
    delisted,
    lastDay,
    lastDayKnown: entries[0]?.known ?? null,
    ...(entries.length > 1 && { lastDays: entries }),
    ...(price !== undefined && { redemptionPrice: price }),
  }
}

/**
 * The first day on which something is known now of securities that was not known when their days were published: their share, terms or
 * dates, or that they are there at all. null: nothing.
 */
export function learnedSince(past: Past, day: string, securities: readonly Security[]): string | null {
  const known = new Map(past.securities.map((security) => [security.code, security]))
  const first = past.dates[0]
  let since: string | null = null
  for (const security of securities) {
    const before = known.get(security.code)
    const from = before ? (isFilled(before, security) ? (security.listed ?? beforeAll) : day) : (security.listed ?? day)
    if (from < day && (since === null || from < since)) since = from
  }
  return first === undefined ? null : since
}

/** Before the first trading day of any exchange. */
const beforeAll = '1990-01-01'

function isFilled(before: Security, now: Security): boolean {
  if ((before.stockCode || undefined) !== now.stockCode) return true
  if (before.listed === null && now.listed !== null) return true
  const couponsOf = ({ terms }: Security) => (terms?.coupons ?? []).filter((coupon) => coupon !== null).length
  if (couponsOf(now) > couponsOf(before)) return true
  const known = new Map(Object.entries(before.terms ?? {}))
  return Object.entries(now.terms ?? {}).some(([key, value]) => isKnown(value) && !isKnown(known.get(key)))
}
