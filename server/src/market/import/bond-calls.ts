/**
 * Terms and calls of imported bonds: what the companion tables say of them, and what was public of a call. Announcements come from the
 * companion list; where that list ends, a bond that left the market early is taken as announced ten trading days before its last day,
 * later than nearly all announcements were, so that nothing is known too early. Every such value is marked as estimated.
 */
import {
  type Announcement,
  type BondTerms,
  callStatuses,
  carryForward,
  countRedeemDays,
  type Security,
  unknownTerms,
} from '@convexa/engine'
import { addDays, daysBetween } from '../calendar.ts'
import type { StoredColumn } from '../store.ts'
import type { Arranged } from './arrange.ts'
import type { Companion, Companions } from './companions.ts'

/** What nearly all bonds have, for those whose terms no table says; conversion begins half a year after the issue. */
const usual = { redeem: { days: 15, window: 30, trigger: 1.3 }, convertibleAfterListing: 160 }
/** Trading days before the last day: of an estimated announcement, and of the notice of a maturity. */
const estimate = { called: 10, maturity: 20 }
const status = Object.fromEntries(callStatuses.map((key, index) => [key, index])) as Record<(typeof callStatuses)[number], number>

/** Puts terms and announcements to the bonds. Returns sentences for the report. */
export function addBondTerms(table: Arranged, { byCode }: Companions): string[] {
  const told = { clause: 0, conversion: 0, coupons: 0 }
  table.securities.forEach((security, i) => {
    const companion = byCode.get(security.code)
    const { listed } = security
    const said = companion?.terms
    const terms: BondTerms = {
      ...unknownTerms,
      ...said,
      redeem: said?.redeem ?? usual.redeem,
      conversionStart: said?.conversionStart ?? (listed && addDays(listed, usual.convertibleAfterListing)),
    }
    if (!said?.redeem) told.clause++
    if (!said?.conversionStart && listed) told.conversion++
    if (companion?.couponsFilled) told.coupons++
    const announcements = announcementsOf(companion)
    table.securities[i] = { ...security, terms, ...(announcements.length > 0 && { announcements }) }
  })
  return [
    told.clause > 0 ? `强赎条款：${told.clause} 只没有来源，按 30 个交易日中 15 日不低于 130% 计。` : '',
    told.conversion > 0 ? `转股起始日：${told.conversion} 只没有来源，按上市后 ${usual.convertibleAfterListing} 天估计。` : '',
    told.coupons > 0 ? `票面利率：${told.coupons} 只提前退市，来源没有其后各年的利率，按常见的阶梯利率补足（估计）。` : '',
  ].filter((sentence) => sentence !== '')
}

function announcementsOf(companion: Companion | undefined): Announcement[] {
  const calls = companion?.calls?.map((date): Announcement => ({ date, kind: 'redeem' })) ?? []
  const proposals = companion?.proposals?.map((date): Announcement => ({ date, kind: 'reset_proposal' })) ?? []
  return [...calls, ...proposals].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/** Adds `call_status`, and from when each last day was public. Returns sentences for the report. */
export function addBondCalls(table: Arranged, companions: Companions): string[] {
  const close = table.columns.get('close')?.cells
  const counts = daysCounted(table)
  if (close === undefined || counts === null) return []
  const { dates, stride, listed } = table
  const states = new Float64Array(dates.length * stride).fill(Number.NaN)
  const basis = { announced: 0, estimated: 0, maturity: 0, unknown: 0 }
  table.securities.forEach((security, i) => {
    const companion = companions.byCode.get(security.code)
    const end = endOf(security, i, table, close, companion)
    const lastRow = security.lastDay === null ? -1 : dates.indexOf(security.lastDay)
    const need = security.terms?.redeem?.days ?? Number.NaN
    for (let t = 0; t < dates.length; t++) {
      const at = t * stride + i
      if (listed[at] === 0) continue
      const isEnding = end !== null && t >= end.knownRow
      states[at] = isEnding
        ? end.kind === 'maturity'
          ? status.maturity
          : status.announced
        : counts[at]! >= need
          ? status.met
          : status.none
    }
    if (lastRow < 0) return
    if (end === null) {
      basis.unknown++
      return
    }
    basis[end.basis]++
    table.securities[i] = {
      ...table.securities[i]!,
      lastDayKnown: dates[Math.min(end.knownRow, lastRow)]!,
      redemptionPrice: end.kind === 'maturity' ? (companion?.terms?.maturityPrice ?? null) : null,
    }
  })
  const until = companions.callsUntil
  const column: StoredColumn = {
    store: 'f64',
    cells: states,
    origin: 'estimated',
    note:
      until === null
        ? '公告日无来源：提前退市的转债按最后交易日前 10 个交易日推算'
        : `公告日到 ${until} 为止有来源，之后提前退市的转债按最后交易日前 10 个交易日推算`,
  }
  table.columns.set('call_status', column)
  return [
    `强赎状态：${basis.announced} 只按公告日，${basis.estimated} 只没有公告来源、按最后交易日前 ${estimate.called} 个交易日推算，${basis.maturity} 只到期兑付，${basis.unknown} 只退出原因不明。`,
  ]
}

/** Days of the call clause, as the engine counts them. */
function daysCounted({ dates, securities, stride, listed, traded, columns }: Arranged): Float64Array | null {
  const carried = new Map<string, Float64Array>()
  for (const key of ['close_stk', 'conv_price']) {
    const cells = columns.get(key)?.cells
    if (cells === undefined) return null
    const column = Float64Array.from(cells)
    carryForward(column, { listed, traded, stride }, 0, dates.length)
    carried.set(key, column)
  }
  return countRedeemDays({ dates, securities, stride, listed, columns: carried })
}

interface End {
  readonly kind: 'called' | 'maturity'
  readonly basis: 'announced' | 'estimated' | 'maturity'
  /** First row on which it was public. */
  readonly knownRow: number
}

function endOf(
  security: Security,
  i: number,
  { dates, stride, columns }: Arranged,
  close: ArrayLike<number>,
  companion: Companion | undefined,
): End | null {
  const lastRow = security.lastDay === null ? -1 : dates.indexOf(security.lastDay)
  // The announcement comes in the evening: it is known from the next trading day.
  const rowAfter = (day: string) => dates.findIndex((date) => date > day)
  if (lastRow < 0) {
    // Called, but the last day lies after the file's end.
    const call = companion?.calls?.at(-1)
    const row = call === undefined ? -1 : rowAfter(call)
    return row < 0 || daysBetween(call!, dates.at(-1)!) > 60 ? null : { kind: 'called', basis: 'announced', knownRow: row }
  }
  const left = columns.get('left_years')?.cells[lastRow * stride + i]
  const toMaturity = companion?.terms?.maturityDate
    ? daysBetween(security.lastDay!, companion.terms.maturityDate)
    : left === left
      ? (left ?? 9) * 365
      : 9e9
  if (toMaturity < 25) return { kind: 'maturity', basis: 'maturity', knownRow: Math.max(0, lastRow - estimate.maturity) }
  const call = companion?.calls?.filter((day) => day < security.lastDay! && daysBetween(day, security.lastDay!) < 70).at(-1)
  if (call !== undefined) return { kind: 'called', basis: 'announced', knownRow: Math.min(rowAfter(call), lastRow) }
  // A bond that falls out far below par was not called.
  if (!(close[lastRow * stride + i]! > 99)) return null
  return { kind: 'called', basis: 'estimated', knownRow: Math.max(0, lastRow - estimate.called) }
}
