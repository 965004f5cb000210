import type { VipOrderStatus } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'
import { sql } from 'kysely'
import type { AttemptState } from '../db/tables/orders.ts'

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

/** Statuses as literals of an SQL `in` list: parameters would keep PostgreSQL from using a partial index. */
export const literals = (statuses: readonly VipOrderStatus[]) => sql.join(statuses.map((status) => sql.lit(status)))

/** Attempts that WeChat may still take money for, as far as we know; an order has one at most. */
export const liveStates = ['INIT', 'OPEN', 'CLOSING', 'UNKNOWN'] as const satisfies AttemptState[]
