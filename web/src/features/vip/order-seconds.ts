import type { Order } from '@convexa/contract/order'
import { useSecondsTo } from '../../ui/use-seconds-to.ts'

/** Seconds that an order may still be paid, by the server's count of when it was read. */
export const useOrderSeconds = (order: Order, readAt: number): number => useSecondsTo(readAt + order.expire_in * 1000)
