import { orderStatus, type VipOrderStatus } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { fail } from '../http/fail.ts'
import { lockOrder } from './orders.ts'
import { move } from './states.ts'

/** @throws Failure 40004, 31011 it is paid */
export const cancelOrder = (db: Kysely<Database>, userId: string, id: string): Promise<VipOrderStatus> =>
  db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, userId, id)
    if (order.status === orderStatus.payFinished || order.status === orderStatus.finished) fail(31011)
    if (order.status !== orderStatus.paying) await move(tx, order, orderStatus.quit, 'user', { closed_by: 'user' })
    return order.status === orderStatus.paying ? order.status : orderStatus.quit
  })
