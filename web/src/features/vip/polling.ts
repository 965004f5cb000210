import { orderStatus } from '@convexa/contract/enums/order-status'
import type { Order, VipOrderStatus } from '@convexa/contract/order'
import { isOpenOrder } from './order-text.ts'

const quick = { every: 2_000, times: 90 }
const slow = { every: 5_000, times: 120 }

/** Nothing will become of it any more. */
export const isEnd = (status: VipOrderStatus | undefined): boolean => status === orderStatus.quit || status === orderStatus.finished

/** How long to wait before the status is asked again, after so many answers; false: no more by itself. */
export function pollDelay(answers: number, status: VipOrderStatus | undefined): number | false {
  if (isEnd(status)) return false
  if (answers < quick.times) return quick.every
  return answers < quick.times + slow.times ? slow.every : false
}

/** For so long after its end money of an order may still come by itself, as a rule; the page asks about older ones when it is seen again. */
const lateMs = 3_600_000

/**
 * How long to wait before an order as a whole is asked for again: soon while money moves, seldom while it may be paid or money may still
 * come late, or a second time, and go back; false: never by itself. By the browser's clock, which decides no more than that.
 */
export function orderPollDelay(order: Pick<Order, 'status' | 'refund_status' | 'pay_type' | 'expire_at'>, now: number): number | false {
  const { status, refund_status: refund, pay_type: way, expire_at: end } = order
  if (status === orderStatus.paying || status === orderStatus.payFinished || refund === 'PROCESSING') return 5_000
  if (isOpenOrder(status)) return 15_000
  return way !== null && refund === undefined && now - Date.parse(end) < lateMs && 10_000
}
