/**
 * The call clause of imported bonds: how many of the last 30 days the stock closed at 130 % or more, and what was public of a call.
 * The count follows from the file's own prices. Announcements come from the companion list; where that list ends, a bond that left
 * the market early is taken as announced ten trading days before its last day, later than nearly all announcements were, so that
 * nothing is known too early. Every such value is marked as estimated.
 */
import { callStatuses, type Security } from '@convexa/engine'
import { daysBetween } from '../calendar.ts'
import type { StoredColumn } from '../store.ts'
import type { Arranged } from './arrange.ts'
import type { Companions } from './companions.ts'

const clause = { window: 30, days: 15, trigger: 1.3, sinceListing: 160 }
/** Trading days before the last day: of an estimated announcement, and of the notice of a maturity. */
const estimate = { called: 10, maturity: 20 }
const status = Object.fromEntries(callStatuses.map((key, index) => [key, index])) as Record<(typeof callStatuses)[number], number>

/** Adds `call_count` and `call_status`, and from when each last day was public. Returns sentences for the report. */
export function addBondCalls(table: Arranged, companions: Companions): string[] {
  const stock = table.columns.get('close_stk')?.cells
  const price = table.columns.get('conv_price')?.cells
  const close = table.columns.get('close')?.cells
  if (stock === undefined || price === undefined || close === undefined) return []
  const { dates, stride, listed } = table
  const counts = new Float64Array(dates.length * stride).fill(Number.NaN)
  const states = new Float64Array(dates.length * stride).fill(Number.NaN)
  const basis = { announced: 0, estimated: 0, maturity: 0, unknown: 0 }
  table.securities.forEach((security, i) => {
    const companion = companions.byCode.get(security.code)
    const end = endOf(security, i, table, close, companion)
    const lastRow = security.lastDay === null ? -1 : dates.indexOf(security.lastDay)
    const start = companion?.convertible ?? null
    const above = new Uint8Array(clause.window)
    let count = 0
    let days = 0
    let trigger = Number.NaN
    let value = Number.NaN
    for (let t = 0; t < dates.length; t++) {
      const at = t * stride + i
      if (listed[at] === 0) continue
      days++
      if (price[at] === price[at]) trigger = price[at]! * clause.trigger
      if (stock[at] === stock[at]) value = stock[at]!
      const open = start === null ? days > (security.listed === null ? 0 : (clause.sinceListing * 242) / 365) : dates[t]! >= start
      const flag = open && value >= trigger - 1e-9 ? 1 : 0
      count += flag - above[days % clause.window]!
      above[days % clause.window] = flag
      counts[at] = count
      let state = count >= clause.days ? status.met : status.none
      if (end !== null && t >= end.knownRow) state = end.kind === 'maturity' ? status.maturity : status.announced
      states[at] = state
    }
    if (lastRow < 0) return
    if (end === null) {
      basis.unknown++
      return
    }
    basis[end.basis]++
    table.securities[i] = {
      ...security,
      lastDayKnown: dates[Math.min(end.knownRow, lastRow)]!,
      redemptionPrice: end.kind === 'maturity' ? (companion?.maturityPrice ?? null) : null,
    }
  })
  const column = (cells: Float64Array, origin: StoredColumn['origin'], note: string): StoredColumn => ({
    store: 'f64',
    cells,
    origin,
    note,
  })
  const until = companions.callsUntil
  table.columns.set('call_count', column(counts, 'derived', '由正股收盘价和转股价按 130% 触发价计数'))
  table.columns.set(
    'call_status',
    column(
      states,
      'estimated',
      until === null
        ? '公告日无来源：提前退市的转债按最后交易日前 10 个交易日推算'
        : `公告日到 ${until} 为止有来源，之后提前退市的转债按最后交易日前 10 个交易日推算`,
    ),
  )
  return [
    `强赎状态：${basis.announced} 只按公告日，${basis.estimated} 只没有公告来源、按最后交易日前 ${estimate.called} 个交易日推算，${basis.maturity} 只到期兑付，${basis.unknown} 只退出原因不明。`,
  ]
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
  companion: { maturity?: string; calls?: readonly string[] } | undefined,
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
  const toMaturity =
    companion?.maturity !== undefined ? daysBetween(security.lastDay!, companion.maturity) : left === left ? (left ?? 9) * 365 : 9e9
  if (toMaturity < 25) return { kind: 'maturity', basis: 'maturity', knownRow: Math.max(0, lastRow - estimate.maturity) }
  const call = companion?.calls?.filter((day) => day < security.lastDay! && daysBetween(day, security.lastDay!) < 70).at(-1)
  if (call !== undefined) return { kind: 'called', basis: 'announced', knownRow: Math.min(rowAfter(call), lastRow) }
  // A bond that falls out far below par was not called.
  if (!(close[lastRow * stride + i]! > 99)) return null
  return { kind: 'called', basis: 'estimated', knownRow: Math.max(0, lastRow - estimate.called) }
}
