import { orderStatus, orderStatuses } from '@convexa/contract/enums/order-status'
import { refundStatuses } from '@convexa/contract/enums/refund-status'
import { labelOf } from '@convexa/contract/enums/table'
import type { Order, VipOrderStatus } from '@convexa/contract/order'
import type { User } from '@convexa/contract/user'
import type { Benefit, Plan } from '@convexa/contract/vip'
import { shanghai } from '../../base/dates.ts'

// What plans and orders are called on the screen. Money comes in fen and is never a fraction.

/** `¥298.00`. */
export const yuan = (fen: number): string => `¥${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`

/** `¥298`, the fen only where there are some: a price on a plan. */
export const price = (fen: number): string => (fen % 100 === 0 ? `¥${fen / 100}` : yuan(fen))

/** `省 14%` against what it cost before, rounded down; null where nothing is saved. */
export function savedWords({ price_fen, origin_price_fen }: Pick<Plan, 'price_fen' | 'origin_price_fen'>): string | null {
  if (origin_price_fen === undefined || origin_price_fen <= price_fen) return null
  const share = Math.floor(((origin_price_fen - price_fen) * 100) / origin_price_fen)
  return share > 0 ? `省 ${share}%` : null
}

/** Besides its status: where the money of an order is on the way back. */
export const refundOf = ({ refund_status }: Pick<Order, 'refund_status'>): string | null =>
  refund_status === undefined ? null : labelOf(refundStatuses, refund_status)

/** It may be paid, or given up. Whether there is time left is the server's to say. */
export const isOpenOrder = (status: VipOrderStatus): boolean => status <= orderStatus.payQuit

/** What the button of an open order says. */
export const payWords = (status: VipOrderStatus): string => (status === orderStatus.payFailed ? '重试' : '继续支付')

export type StatusLook = 'warn' | 'danger' | 'ok' | 'quiet'
/** How a status is coloured; never as a return is. */
export function statusLook(status: VipOrderStatus): StatusLook {
  if (status === orderStatus.payFailed) return 'danger'
  if (status === orderStatus.finished || status === orderStatus.payFinished) return 'ok'
  return status <= orderStatus.paying ? 'warn' : 'quiet'
}

/** The limits that everybody has beside what plans give: the first plan names them all. */
export const freeBenefits = (plans: readonly Plan[]): readonly Benefit[] => plans[0]?.benefits ?? []

/** `2026-12-22 到期（还有 32 天）`; of a page that stood open past the end `2026-12-22 已到期`. */
export function untilWords(expireAt: string, now: number): string {
  const days = Math.ceil((Date.parse(expireAt) - now) / 86_400_000)
  return days > 0 ? `${expireAt.slice(0, 10)} 到期（还有 ${days} 天）` : `${expireAt.slice(0, 10)} 已到期`
}

/** What an order brings over what its buyer has; `before` null: there is nothing to compare with. */
export interface Gain {
  label: string
  before: string | null
  after: string
}

/** So many benefits are named. */
const namedBenefits = 4
const dayMs = 86_400_000

/** A free user gains the plan's limits, a member days behind those that are left: the limits stay as they are. */
export function gainsOf(
  { days }: Pick<Order, 'days'>,
  benefits: readonly Benefit[],
  vip: Pick<User['vip'], 'level' | 'expire_at'> | null,
  now: number,
): Gain[] {
  const length = { label: '会员时长', before: null, after: `${days} 天` }
  const end = vip && vip.level > 0 && vip.expire_at !== null ? Date.parse(vip.expire_at) : null
  if (end === null || end <= now)
    return [length, ...benefits.slice(0, namedBenefits).map(({ label, value, free }) => ({ label, before: free, after: value }))]
  return [
    length,
    { label: '会员有效期', before: shanghai(end).date, after: shanghai(end + days * dayMs).date },
    { label: '用量上限', before: null, after: '与现在相同' },
  ]
}

/** `09:41`: minutes and seconds that are left. */
export const clockWords = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`

/** How an order stands, on its receipt: why it was closed as well. */
export function receiptWords({ status, closed_by, refund_status }: Pick<Order, 'status' | 'closed_by' | 'refund_status'>): string {
  if (closed_by !== 'timeout') return labelOf(orderStatuses, status)
  return refund_status ? '已关闭（付款到账时已过期）' : '已关闭（超时未付）'
}
