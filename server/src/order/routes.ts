import { order } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { serve, signedIn } from '../http/kernel.ts'
import type { World } from '../world.ts'
import { cancelOrder } from './cancel.ts'
import { listOrders, orderOf, pendingOrders, statusOf } from './orders.ts'

export function routes(app: FastifyInstance, world: World): void {
  const { db } = world
  serve(app, world, order.list, async ({ query, user }) => listOrders(db, signedIn(user).id, query))
  serve(app, world, order.pending, async ({ user }) => ({ list_items: await pendingOrders(db, signedIn(user).id) }))
  serve(app, world, order.detail, async ({ params, user }) => orderOf(db, signedIn(user).id, params.id))
  serve(app, world, order.status, async ({ params, user }) => {
    const status = await statusOf(db, signedIn(user).id, params.id)
    return { order_id: params.id, status }
  })
  serve(app, world, order.remove, async ({ params, user }) => ({ status: await cancelOrder(db, signedIn(user).id, params.id) }))
}
