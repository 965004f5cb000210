import type { VipOrderStatus } from '@convexa/contract/order'
import { orderStatus } from '@convexa/contract/order-status'

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
