import type { VipOrderStatus } from '@convexa/contract'
import type { Transaction } from 'kysely'
import type { Cause } from '../db/tables/orders.ts'
import type { Database } from '../db/tables.ts'

type Change = Partial<{ closed_by: 'user' | 'timeout'; paid_at: Date }>

/**
 * Moves an order that the transaction has locked to another status and records the event. Does nothing when the order has that status already.
 * @throws the trigger's check_violation for a transition that is not allowed: a bug of ours
 */
export async function move(
  tx: Transaction<Database>,
  order: { readonly id: string; readonly status: VipOrderStatus },
  to: VipOrderStatus,
  cause: Cause,
  change: Change = {},
): Promise<void> {
  if (order.status === to) return
  await tx
    .updateTable('vip_order')
    .set({ status: to, ...change })
    .where('id', '=', order.id)
    .execute()
  await tx.insertInto('order_event').values({ order_id: order.id, from_status: order.status, to_status: to, cause }).execute()
}
