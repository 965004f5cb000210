import { order } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { serve } from '../http/serve-endpoint.ts'
import { listOrders, orderOf, pendingOrders, statusOf } from './orders.ts'
import { askNow, cancel, endOrMark } from './pay-order.ts'
import { paymentDeps } from './payment-deps.ts'

export function routes(app: FastifyInstance, context: AppContext): void {
  const { db } = context
  const deps = paymentDeps(db, context)
  serve(app, context, order.list, async ({ query, user }) => listOrders(db, user.id, query))
  serve(app, context, order.pending, async ({ user }) => ({ list_items: await pendingOrders(db, user.id) }))
  serve(app, context, order.detail, async ({ params, user }) => orderOf(db, user.id, params.id))
  serve(app, context, order.status, async ({ params, user }) => {
    const status = await statusOf(db, user.id, params.id)
    if (status !== orderStatus.paying || !deps) return { order_id: params.id, status }
    await askNow(deps, params.id)
    return { order_id: params.id, status: await statusOf(db, user.id, params.id) }
  })
  serve(app, context, order.remove, async ({ params, user }) => {
    const { id } = user
    if (deps) return { status: await cancel(deps, id, params.id) }
    // Without a merchant nobody can be asked: what is being paid waits for one.
    await inTransaction(db, (tx) => endOrMark(tx, id, params.id))
    return { status: await statusOf(db, id, params.id) }
  })
}
