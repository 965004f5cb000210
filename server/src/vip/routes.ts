import { vip } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { Failure, fail, serve, signedIn } from '../http/kernel.ts'
import { subscribe } from '../order/orders.ts'
import { payGround } from '../payment/ground.ts'
import { cancel } from '../payment/pay-order.ts'
import type { World } from '../world.ts'
import { listPlans } from './plans.ts'

export function routes(app: FastifyInstance, world: World): void {
  const { db, config } = world
  const ground = payGround(db, world)
  serve(app, world, vip.plans, async () => listPlans(db))
  serve(app, world, vip.subscribe, async ({ body, user }) => {
    const { id, isDemo } = signedIn(user)
    if (isDemo && !config.wechatPay?.testMoney) throw new Failure(31008, '体验账号不能购买，请注册自己的账号')
    return subscribe(db, id, body.plan_id, {
      canPay: ground !== null,
      makeRoom: async (orderId) => {
        if (!ground) return 1
        return cancel(ground, id, orderId).catch((error: unknown) => {
          // Paid this moment: nobody wants to pay it again.
          if (error instanceof Failure && error.code === 31011) fail(31004)
          throw error
        })
      },
    })
  })
}
