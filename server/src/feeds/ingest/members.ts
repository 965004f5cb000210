/** Members of a market on a day: the securities known before, what lists and announcements say of them now, and new ones. */

import type { ExitReason } from '@convexa/contract/enums/exit-reason'
import { type BondTerms, lastDayOn, lastDaysOf, redeemCounts, type Security, withLastDay } from '@convexa/engine'
import { earlyReason, isLeavingName, metBefore, smallSize } from '../../market/bond-ends.ts'
import { addDays } from '../../market/calendar.ts'
import { initials } from '../../market/import/arrange.ts'
import { boardOfBond, boardOfStock } from '../../market/import/code.ts'
import type { ListSpan } from '../../market/import/companions.ts'
import { marketOf, rulesOf } from '../../market/market-rules.ts'
import { noticesOfEnd, withCalls, withLastDays } from './call-notices.ts'
import type { Entry } from './entries.ts'
import type { Facts } from './facts.ts'
import { nameOn } from './names.ts'
import type { Past } from './past.ts'

export interface Members {
  readonly securities: readonly Security[]
  readonly placeOf: ReadonlyMap<string, number>
  /** 1 = inside its listing window on the day. */
  readonly listed: Uint8Array
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
 * @param entries what the list says, by code; null: there is no list, and former members stay
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
  const isRedeemed = marketOf(kind)?.redeemed === true
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
    const security = before
      ? updated(before.security, entry)
      : born(kind, code, entry, past.dates.length > 0 && isListing(code) ? day : null)
    const announced = isRedeemed ? withLastDays(withCalls(security, facts.calls.get(code) ?? [], day), day, there.has(code)) : security
    const end = isRedeemed && !there.has(code) ? pastLastDay(announced, day) : null
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

/**
 * A security seen for the first time; `day`: its listing, where the list does not state one. Members of a market's first day were listed
 * before it.
 */
function born(kind: Past['kind'], code: string, entry: Entry | undefined, day: string | null): Security {
  const name = entry?.name ?? code
  return {
    code,
    name,
    pinyin: initials(name),
    board: (rulesOf(kind)?.boardOf ?? boardOfStock)(code, entry?.stockCode),
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
function updated(security: Security, entry: Entry | undefined): Security {
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

/** A bond whose trading ends no earlier than so many days before its maturity has matured. */
const beforeMaturity = 25

/**
 * Why it left, as far as what was published says it: a share by its list, a bond by its notices and its term. Of others the rule of imports decides;
 * `isMet`: whether the call clause was met shortly before.
 */
function reasonOf(
  kind: Past['kind'],
  security: Security,
  facts: Facts,
  { callLists = [], shareEnds, stockNames }: EndGround,
  isMet: () => boolean | null,
): ExitReason {
  if (!marketOf(kind)?.redeemed) return 'delisted'
  const { code, lastDay, delisted, terms, stockCode = '' } = security
  const said = noticesOfEnd(security, lastDay ?? delisted ?? '').at(-1)
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
  const price = lastDay === null ? undefined : noticesOfEnd(security, lastDay).findLast((notice) => notice.price !== undefined)?.price
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
