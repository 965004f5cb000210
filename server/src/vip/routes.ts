import { vip } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail, serve, signedIn } from '../http/kernel.ts'
import { subscribe } from '../order/orders.ts'
import type { World } from '../world.ts'
import { listPlans } from './plans.ts'

export function routes(app: FastifyInstance, world: World): void {
  const { db } = world
  serve(app, world, vip.plans, async () => listPlans(db))
  serve(app, world, vip.subscribe, async ({ body, user }) => subscribe(db, signedIn(user).id, body.plan_id, async () => fail(31008)))
}
