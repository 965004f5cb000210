import { order } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'
import type { FastifyInstance } from 'fastify'
import { serve, signedIn } from '../http/kernel.ts'
import { payGround } from '../payment/ground.ts'
import { inTransaction } from '../payment/in-transaction.ts'
import { askNow, cancel, endOrMark } from '../payment/pay-order.ts'
import type { World } from '../world.ts'
import { listOrders, orderOf, pendingOrders, statusOf } from './orders.ts'

export function routes(app: FastifyInstance, world: World): void {
  const { db } = world
  const ground = payGround(db, world)
  serve(app, world, order.list, async ({ query, user }) => listOrders(db, signedIn(user).id, query))
  serve(app, world, order.pending, async ({ user }) => ({ list_items: await pendingOrders(db, signedIn(user).id) }))
  serve(app, world, order.detail, async ({ params, user }) => orderOf(db, signedIn(user).id, params.id))
  serve(app, world, order.status, async ({ params, user }) => {
    const status = await statusOf(db, signedIn(user).id, params.id)
    if (status !== orderStatus.paying || !ground) return { order_id: params.id, status }
    await askNow(ground, params.id)
    return { order_id: params.id, status: await statusOf(db, signedIn(user).id, params.id) }
  })
  serve(app, world, order.remove, async ({ params, user }) => {
    const { id } = signedIn(user)
    if (ground) return { status: await cancel(ground, id, params.id) }
    // Without a merchant nobody can be asked: what is being paid waits for one.
    await inTransaction(db, (tx) => endOrMark(tx, id, params.id))
    return { status: await statusOf(db, id, params.id) }
  })
}
