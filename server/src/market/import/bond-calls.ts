/**
 * Terms and calls of imported bonds: what the companion tables say of them, and what was public of a call. Announcements come from the
 * companion list; a bond that left the market early without one was called where its clause was met shortly before, known from ten
 * trading days before its last day, later than nearly all announcements were, so that nothing is known too early. Every such value is
 * marked as estimated. Why other bonds left is not known, and nothing of their past says that they would.
 */
import { isDeepStrictEqual } from 'node:util'
import { type ExitReason, exitReasons } from '@convexa/contract/enums/exit-reason'
import { labelOf } from '@convexa/contract/enums/table'
import {
  type Announcement,
  type BondTerms,
  type Counted,
  callState,
  callStatus,
  callStatuses,
  carryForward,
  type KnownLastDay,
  noticeAhead,
  noticeOfEnd,
  redeemCounts,
  type Security,
  unknownTerms,
  withLastDay,
} from '@convexa/engine'
import { earlyReason, metBefore, metWithin, smallSize } from '../bond-ends.ts'
import { addDays, daysBetween, nextTradingDay } from '../calendar.ts'
import { lastDayOfCall, lastDayOfMaturity, maturityKnownBefore, tradingDayBefore } from '../last-trading-day.ts'
import { isRevision, openProposal, revisionOn } from '../revisions.ts'
import type { StoredColumn } from '../store.ts'
import type { Arranged } from './arrange.ts'
import type { Companion, Companions, ListSpan } from './companions.ts'

/** What nearly all bonds have, for imports without a table of clauses; conversion begins half a year after the issue. */
const usual = { redeem: { days: 15, window: 30, trigger: 1.3 }, convertibleAfterListing: 160 }
export const hasUsualClause = ({ redeem }: BondTerms): boolean => redeem !== null && isDeepStrictEqual(redeem, usual.redeem)
export const usualConversionStart = (listed: string): string => addDays(listed, usual.convertibleAfterListing)
/** Trading days before the last day: of an estimated announcement, of the notice of a maturity, and of one of a size too small. */
const estimate = { called: 10, maturity: 20, small: 3 }
const status = Object.fromEntries(callStatuses.map((key, index) => [key, index])) as Record<(typeof callStatuses)[number], number>

/** Puts terms and announcements to the bonds. Returns sentences for the report. */
export function addBondTerms(table: Arranged, { byCode }: Companions): string[] {
  const counts = { usual: 0, unknown: 0, reset: 0, put: 0, conversion: 0, coupons: 0, years: 0 }
  // A table of clauses that does not say one leaves it unknown; without any table bonds have what nearly all have.
  const [areRedeemsStated, areResets, arePuts] = (['redeem', 'reset', 'put'] as const).map((clause) =>
    [...byCode.values()].some(({ terms }) => terms?.[clause]),
  )
  table.securities.forEach((security, i) => {
    const companion = byCode.get(security.code)
    const { listed } = security
    const said = companion?.terms
    const terms: BondTerms = {
      ...unknownTerms,
      ...said,
      redeem: said?.redeem ?? (areRedeemsStated ? null : usual.redeem),
      conversionStart: said?.conversionStart ?? (listed && usualConversionStart(listed)),
    }
    if (!said?.redeem) counts[areRedeemsStated ? 'unknown' : 'usual']++
    if (areResets && !terms.reset) counts.reset++
    if (arePuts && !terms.put) counts.put++
    if (!said?.conversionStart && listed) counts.conversion++
    if (companion?.couponsFilled) counts.coupons++
    if (terms.coupons.includes(null)) counts.years++
    const announcements = announcementsOf(companion)
    const { redemptionDay } = companion ?? {}
    table.securities[i] = {
      ...security,
      terms,
      ...(redemptionDay !== undefined && { redemptionDay }),
      ...(announcements.length > 0 && { announcements }),
    }
  })
  return [
    counts.usual > 0 ? `强赎条款：文件没有条款来源，${counts.usual} 只按常见的 30 个交易日中 15 日不低于 130% 计。` : '',
    counts.unknown > 0 ? `强赎条款：${counts.unknown} 只读不出，条款未知，不计数，不判断是否满足。` : '',
    counts.reset > 0 ? `下修条款：${counts.reset} 只读不出，条款未知，不计数。` : '',
    counts.put > 0 ? `回售条款：${counts.put} 只没有条款或读不出，不计数。` : '',
    counts.conversion > 0 ? `转股起始日：${counts.conversion} 只没有来源，按上市后 ${usual.convertibleAfterListing} 天估计。` : '',
    counts.coupons > 0 ? `票面利率：${counts.coupons} 只提前退市，来源没有其后各年的利率，按常见的阶梯利率补足（估计）。` : '',
    counts.years > 0 ? `票面利率：${counts.years} 只有的年份没有写明利率或日期有缺口，这些年的利息未知。` : '',
  ].filter((sentence) => sentence !== '')
}

function announcementsOf(companion: Companion | undefined): Announcement[] {
  const calls = companion?.calls?.map((date): Announcement => ({ date, kind: 'redeem', ...companion.notices?.[date] })) ?? []
  const proposals = companion?.proposals?.map((date): Announcement => ({ date, kind: 'reset_proposal' })) ?? []
  return [...calls, ...proposals, ...(companion?.others ?? [])].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/** Adds the revisions that nobody told: cuts of the conversion price that a proposal came before. Returns sentences for the report. */
export function addRevisions(table: Arranged): string[] {
  const { dates, stride, listed } = table
  const cells = (key: string) => table.columns.get(key)?.cells
  const price = cells('conv_price')
  const [close, previous, factor] = [cells('close_stk'), cells('pre_close_stk'), cells('adj_factor_stk')]
  if (!price || !close) return []
  let found = 0
  table.securities.forEach((security, i) => {
    if (!security.announcements?.some(({ kind }) => kind === 'reset_proposal')) return
    let announcements = [...security.announcements]
    // The last row with both prices.
    let last = -1
    for (let t = 0; t < dates.length; t++) {
      const at = t * stride + i
      if (listed[at] === 0 || price[at] !== price[at] || close[at] !== close[at]) continue
      const before = last
      last = at
      if (before < 0) continue
      if (price[at]! >= price[before]!) {
        // What an update says of a day that was known may leave a revision without its cut.
        announcements = announcements.filter(({ kind, effective }) => kind !== 'reset' || effective !== dates[t])
        continue
      }
      const byClose = previous ? previous[at]! / close[before]! : Number.NaN
      const left = byClose === byClose ? byClose : factor ? factor[before]! / factor[at]! : Number.NaN
      const cut = { before: price[before]!, now: price[at]!, closeBefore: close[before]!, closeNow: close[at]!, left }
      if (!isRevision(cut) || !openProposal(announcements, dates[t]!)) continue
      announcements.push(revisionOn(dates[t]!))
      announcements.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      found++
    }
    table.securities[i] = { ...security, announcements }
  })
  return found > 0 ? [`下修：${found} 次按董事会提议后 60 天内、正股除权除息解释不了的转股价下调认定。`] : []
}

/**
 * Adds `call_status`, and from when each last day was public. Returns sentences for the report.
 *
 * @param shareEnds by share that has left the loaded stock market: the first day on which it was not listed
 */
export function addBondCalls(table: Arranged, companions: Companions, shareEnds: ReadonlyMap<string, string> = new Map()): string[] {
  const { callLists } = companions
  const counted = countedOf(table, callLists)
  const redeem = counted && redeemCounts(counted)
  if (!counted || !redeem || !table.columns.has('close')) return []
  const { counts } = redeem
  const { dates, stride, listed } = table
  const states = new Float64Array(listed.length).fill(Number.NaN)
  for (let at = 0; at < states.length; at++) if (listed[at] === 1) states[at] = status.none
  const outcomes = { announced: 0, estimated: 0, maturity: 0, others: new Map<ExitReason, string[]>() }
  table.securities.forEach((security, i) => {
    const companion = companions.byCode.get(security.code)
    const shareEnd = shareEnds.get(security.stockCode ?? '') ?? null
    const end = endOf(security, i, table, counts, companion, callLists, shareEnd)
    const lastRow = security.lastDay === null ? -1 : dates.indexOf(security.lastDay)
    // A size too small is no call, though it is known.
    const endsFrom = end === null || end.reason === 'small' ? null : end.knownRow
    for (let t = endsFrom ?? dates.length; t < dates.length; t++) {
      const at = t * stride + i
      if (listed[at] === 1) states[at] = end!.reason === 'maturity' ? status.maturity : status.announced
    }
    if (end?.lastDays && lastRow < 0)
      table.securities[i] = { ...table.securities[i]!, lastDayKnown: end.lastDays[0]!.known, lastDays: end.lastDays }
    if (lastRow < 0 || end === null) return
    const { reason, knownRow } = end
    if (reason === 'maturity') outcomes.maturity++
    else if (reason === 'called') outcomes[end.isAnnounced ? 'announced' : 'estimated']++
    else outcomes.others.set(reason, [...(outcomes.others.get(reason) ?? []), security.code])
    table.securities[i] = {
      ...table.securities[i]!,
      exitReason: reason,
      lastDayKnown: end.lastDays?.[0]?.known ?? (knownRow === null ? null : dates[Math.min(knownRow, lastRow)]!),
      ...(end.lastDays && end.lastDays.length > 1 && { lastDays: end.lastDays }),
      redemptionPrice: reason === 'maturity' ? (companion?.terms?.maturityPrice ?? null) : null,
    }
  })
  const fine = callState({ ...counted, columns: new Map([...counted.columns, ['call_status', states]]) }, redeem)
  const column: StoredColumn = {
    store: 'f64',
    cells: callStatus(fine, fine)!,
    origin: 'estimated',
    note: `${sourceOf(callLists)}满足强赎条款而提前退出的转债按最后交易日前 10 个交易日推算`,
  }
  table.columns.set('call_status', column)
  const others = [...outcomes.others].map(
    ([reason, codes]) => `${codes.length} 只${labelOf(exitReasons, reason)}（${codes.slice(0, 10).join('、')}）`,
  )
  return [
    `${[
      `强赎状态：${outcomes.announced} 只按公告日`,
      `${outcomes.estimated} 只没有公告来源而退出前 ${metWithin} 个交易日内满足强赎条款、按最后交易日前 ${estimate.called} 个交易日推算`,
      `${outcomes.maturity} 只到期兑付`,
      ...others,
    ].join('，')}。`,
  ]
}

function sourceOf(lists: readonly ListSpan[]): string {
  const [first] = lists
  if (first === undefined) return '公告日无来源：'
  if (lists.length === 1) return `公告日到 ${first[1]} 为止有来源，之后`
  return `公告日在 ${lists.map(([from, until]) => `${from} 至 ${until}`).join('、')} 有来源，其余日子`
}

/** What the engine counts the days of clauses by: prices carried over days without a trade. */
function countedOf({ dates, securities, stride, listed, traded, columns }: Arranged, callLists: readonly ListSpan[]): Counted | null {
  const read = new Map<string, Float64Array>()
  for (const key of ['close_stk', 'conv_price']) {
    const cells = columns.get(key)?.cells
    if (cells === undefined) return null
    const column = new Float64Array(cells)
    carryForward(column, { listed, traded, stride }, 0, dates.length)
    read.set(key, column)
  }
  const volumes = columns.get('vol_stk')
  if (volumes) read.set('vol_stk', new Float64Array(volumes.cells))
  return { dates, securities, stride, listed, traded, columns: read, callLists }
}

interface End {
  readonly reason: ExitReason
  /** First row on which it was public; null: it never was. */
  readonly knownRow: number | null
  /** There is an announcement of it; a call without one follows from the clause. */
  readonly isAnnounced?: true
  /** Its last days as they were known, where the rules of the exchanges say one. */
  readonly lastDays?: readonly KnownLastDay[]
}

/**
 * The end of a bond that matures, by its last conversion day: known from some weeks before it, or from its notice. Null where the rule says none.
 */
function maturityBy(companion: Companion | undefined, lastDay: string | null, dates: readonly string[]): End | null {
  const conversionEnd = companion?.terms?.conversionEnd
  const day = conversionEnd ? lastDayOfMaturity(conversionEnd) : null
  const usual = day && tradingDayBefore(day, maturityKnownBefore)
  if (!day || !usual) return null
  const notice = companion?.others?.find(({ kind }) => kind === 'maturity')
  const known = notice && dayAfter(notice.date) < usual ? dayAfter(notice.date) : usual
  const knownRow = dates.findIndex((date) => date >= known)
  return knownRow < 0 ? null : { reason: 'maturity', knownRow, lastDays: entriesOf([{ known, day }], lastDay) }
}

/**
 * The last days of a bond that is called, where a notice or a table states them or its register day: a notice's from the day after it, those of
 * a table, which says not since when, from the first notice on. Null where the rows alone tell.
 */
function lastDaysOfCall(
  code: string,
  companion: Companion | undefined,
  first: string,
  lastDay: string | null,
): readonly KnownLastDay[] | null {
  const { calls = [], notices = {}, redemptionDay } = companion ?? {}
  let entries: readonly KnownLastDay[] = []
  for (const date of calls.filter((each) => each >= first)) {
    const { lastTrading, registration } = notices[date] ?? {}
    const day = lastTrading ?? (registration ? lastDayOfCall(code, registration) : null)
    if (day !== null) entries = withLastDay(entries, { known: dayAfter(date), day })
  }
  // The redemption is on the trading day after the register day.
  const registered = redemptionDay && entries.length === 0 ? tradingDayBefore(addDays(redemptionDay, -1), 0) : null
  const ofTable = registered ? lastDayOfCall(code, registered) : null
  if (ofTable !== null) entries = [{ known: dayAfter(first), day: ofTable }]
  return entries.length === 0 ? null : entriesOf(entries, lastDay)
}

/** Last days as they were said, with the one that the rows say, where that is another: it is known from the day after. */
function entriesOf(said: readonly KnownLastDay[], lastDay: string | null): readonly KnownLastDay[] {
  const day = said.at(-1)?.day ?? null
  if (lastDay === null || day === null || lastDay === day) return said
  const passed = lastDay > day ? [{ known: dayAfter(day), day: null }] : []
  return [...said, ...passed, { known: dayAfter(lastDay), day: lastDay }]
}

const dayAfter = (day: string): string => nextTradingDay(day) ?? addDays(day, 1)

const dated = (lastDays: readonly KnownLastDay[] | null): Pick<End, 'lastDays'> => (lastDays ? { lastDays } : {})

/** Why a bond left, or is about to leave; null: nothing is known of an end. */
function endOf(
  security: Security,
  i: number,
  table: Arranged,
  counts: Float64Array,
  companion: Companion | undefined,
  callLists: readonly ListSpan[],
  shareEnd: string | null,
): End | null {
  const { dates, stride, columns } = table
  const lastRow = security.lastDay === null ? -1 : dates.indexOf(security.lastDay)
  // The announcement comes in the evening: it is known from the next trading day.
  const rowAfter = (day: string) => dates.findIndex((date) => date > day)
  if (lastRow < 0) {
    // Called, but the last day lies after the file's end.
    const call = noticeAhead(companion?.calls ?? [], dates.at(-1)!)
    const row = call === undefined ? -1 : rowAfter(call)
    return row < 0
      ? maturityBy(companion, null, dates)
      : { reason: 'called', knownRow: row, isAnnounced: true, ...dated(lastDaysOfCall(security.code, companion, call!, null)) }
  }
  const left = columns.get('left_years')?.cells[lastRow * stride + i]
  const toMaturity = companion?.terms?.maturityDate
    ? daysBetween(security.lastDay!, companion.terms.maturityDate)
    : left === left
      ? (left ?? 9) * 365
      : 9e9
  if (toMaturity < 25)
    return (
      maturityBy(companion, security.lastDay, dates) ?? {
        reason: 'maturity',
        knownRow: Math.max(0, lastRow - estimate.maturity),
      }
    )
  const call = noticeOfEnd(companion?.calls ?? [], security.lastDay!)
  if (call !== undefined) {
    const knownRow = Math.min(rowAfter(call), lastRow)
    return { reason: 'called', knownRow, isAnnounced: true, ...dated(lastDaysOfCall(security.code, companion, call, security.lastDay)) }
  }
  const met = metBefore(table, counts, security.terms?.redeem?.days ?? Number.NaN, i, lastRow)
  const small = firstSmall(columns.get('remain_size')?.cells, { lastRow, stride, i })
  const reason = earlyReason({
    ...{ lastDay: security.lastDay!, callLists, shareEnd, isShareLeaving: false },
    ...{ isMet: met === null ? null : met >= 0, isSmall: small !== null },
  })
  // It is known that the clause was met on the day after; nobody could know of a call before both.
  if (reason === 'called') return { reason, knownRow: Math.max(0, lastRow - estimate.called, met! + 1) }
  if (reason !== 'small') return { reason, knownRow: null }
  // The size of a day is published in its evening; trading stops three days after that.
  return { reason, knownRow: small! < lastRow ? Math.max(small! + 1, lastRow - estimate.small, 0) : null }
}

/** The first row of those up to the last one on which the size was too small; null: it was not on the last one. */
function firstSmall(
  sizes: ArrayLike<number> | undefined,
  { lastRow, stride, i }: { readonly lastRow: number; readonly stride: number; readonly i: number },
): number | null {
  let [first, t] = [-1, lastRow]
  for (; t >= 0 && sizes; t--) {
    const size = sizes[t * stride + i]!
    if (size !== size) continue
    if (!(size < smallSize)) break
    first = t
  }
  return first < 0 ? null : first
}
