import { payment } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { Failure, serve, signedIn } from '../http/kernel.ts'
import { statusOf } from '../order/orders.ts'
import type { World } from '../world.ts'

export function routes(app: FastifyInstance, world: World): void {
  const { db } = world
  const status = (userId: string, orderId: string) => statusOf(db, userId, orderId)
  const unavailable = async (userId: string, orderId: string) => {
    await status(userId, orderId)
    throw new Failure(31008, '本站未开通微信支付')
  }
  serve(app, world, payment.jsapiProcess, async ({ body, user }) => unavailable(signedIn(user).id, body.order_id))
  serve(app, world, payment.nativeProcess, async ({ body, user }) => unavailable(signedIn(user).id, body.order_id))
  for (const close of [payment.jsapiClose, payment.nativeClose]) {
    serve(app, world, close, async ({ body, user }) => ({ status: await status(signedIn(user).id, body.order_id) }))
  }
}
