import type { Order } from '@convexa/contract/order'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../api/site.ts'
import { isOpenOrder } from './order-text.ts'
import { pendingQuery } from './vip-queries.ts'

/** An order that may still be paid, the newest, and when that was read. */
export interface PendingOrder {
  order: Order
  readAt: number
}

/** Asked once a login where this site sells, and again whenever something became of an order (`ordersChanged`); while there is one, now and then. */
export function usePendingOrder(): PendingOrder | null {
  const canPay = useSite().features.wechat_pay
  const { data, dataUpdatedAt: readAt } = useQuery({ ...pendingQuery, enabled: canPay })
  const order = data?.list_items.find(({ status }) => isOpenOrder(status))
  return order ? { order, readAt } : null
}
