import type { VipOrderStatus } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'

const { waitPaying, paying, payFailed, payQuit, payFinished, quit, finished } = orderStatus

/** The moves of an order (reliability.md 3.3); the table `order_transition` says the same and its trigger refuses all others. */
export const transitions: Readonly<Record<VipOrderStatus, readonly VipOrderStatus[]>> = {
  [waitPaying]: [paying, payFinished, quit],
  [paying]: [payFailed, payQuit, payFinished, quit],
  [payFailed]: [paying, payFinished, quit],
  [payQuit]: [paying, payFinished, quit],
  [payFinished]: [finished],
  [quit]: [],
  [finished]: [],
}

/** Orders that may still be paid. */
export const openStatuses = [waitPaying, paying, payFailed, payQuit] as const

/** What moved an order. `notice`, `query`, `close`, `bill`: the source of the news of the payment. */
export type Cause = 'user' | 'timeout' | 'operator' | 'answer' | MoneySource
export type MoneySource = 'notice' | 'query' | 'close' | 'bill'

export type AttemptState = 'INIT' | 'OPEN' | 'CLOSING' | 'CLOSED' | 'PAID' | 'FAILED' | 'UNKNOWN'
/** Attempts that WeChat may still take money for, as far as we know; an order has one at most. */
export const liveStates = ['INIT', 'OPEN', 'CLOSING', 'UNKNOWN'] as const satisfies AttemptState[]

/** What an attempt is closed for. `quit`, `switch`: the order may be paid again; `cancel`, `expire`: it ends; `paid`: another attempt paid it. */
export type ClosingFor = 'quit' | 'switch' | 'cancel' | 'expire' | 'paid'

export type RefundState = 'REQUESTED' | 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
export type RefundReason = 'LATE' | 'DUPLICATE' | 'OPERATOR'
