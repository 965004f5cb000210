import type { Order, VipOrderStatus } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { freePort } from '../../scripts/free-port.mjs'
import { buildApp } from '../src/app.ts'
import type { WechatPaySettings } from '../src/config/config.ts'
import type { AppContext } from '../src/context/app-context.ts'
import { type PaymentDeps, paymentDeps } from '../src/payment/payment-deps.ts'
import { doDue, expireOrders } from '../src/payment/payment-jobs.ts'
import { asking } from './account.ts'
import type { TestDatabase } from './database.ts'
import { insertPlan, letOrdersAge } from './orders.ts'
import { type PayStandIn, type PayStandInOptions, payStandIn } from './pay-stand-in.ts'
import { makePayKeys, type PayKeys } from './pay-stand-in-keys.ts'
import { newUser, type TestUser } from './processes.ts'
import { testWorld } from './world.ts'

// A site that sells, beside a stand-in for WeChat Pay that calls it back. Its worker's work is done when a test says so.

export interface Shop {
  readonly database: TestDatabase
  readonly context: AppContext
  readonly app: FastifyInstance
  readonly standIn: PayStandIn
  readonly deps: PaymentDeps
  readonly logged: readonly string[]
  readonly month: string
  buyer(): Promise<Buyer>
  /** What is due now is done, until nothing is. */
  work(): Promise<void>
  /** As if so much time had passed for everything that stands in rows of orders, or of one user's orders. */
  later(seconds: number, userId?: string): Promise<void>
  close(): Promise<void>
}

export interface Buyer extends TestUser {
  ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<{ status: number; code: number; msg: string; data: T }>
  /** Orders a plan. @returns the order's id */
  order(plan?: string): Promise<string>
  /** Opens the code to scan. @returns the attempt's number at WeChat */
  scan(order: string): Promise<string>
  status(order: string): Promise<VipOrderStatus>
  show(order: string): Promise<Order>
  /** Days of VIP from now on, to the minute. */
  days(): Promise<number>
}

/** Made once: it takes a processor for a while. */
let keys: PayKeys | undefined

/** `database`: where a drill brings its own; a test has one made. */
export async function openShop(
  options: PayStandInOptions & { over?: Partial<WechatPaySettings>; database?: TestDatabase } = {},
): Promise<Shop> {
  const database = options.database ?? (await (await import('./database.ts')).testDatabase())
  const port = await freePort()
  const notifyUrl = `http://127.0.0.1:${port}/v1/payment/wechat/notify`
  keys ??= makePayKeys()
  const standIn = await payStandIn({ keys, ...options, notifyUrl })
  const { context, logged } = testWorld(database, {
    now: () => new Date(),
    config: { wechatPay: standIn.settings({ notifyUrl, ...options.over }) },
  })
  const app = await buildApp(context)
  await app.listen({ port, host: '127.0.0.1' })
  const deps = paymentDeps(database.db, context)!
  const { ask: asked } = asking(() => app)
  const buyer = async (): Promise<Buyer> => {
    const user = await newUser(database.db)
    const ask: Buyer['ask'] = (method, path, body) => asked(method, path, { token: user.token, ...(body && { body }) })
    return {
      ...user,
      ask,
      order: async (plan = month) =>
        (await ask<{ order_id: string }>('POST', '/v1/vip/subscription/order', { plan_id: plan })).data.order_id,
      scan: async (order) => {
        const { data, code } = await ask<{ code_url: string }>('POST', '/v1/payment/wechat/native/process', { order_id: order })
        if (code !== 0) throw new Error(`no code to scan: ${code}`)
        return standIn.find(data.code_url)!.otn
      },
      status: async (order) => (await ask<{ status: VipOrderStatus }>('GET', `/v1/order/${order}`)).data.status,
      show: async (order) => (await ask<Order>('GET', `/v1/order/${order}`)).data,
      days: async () => {
        const { rows } = await sql<{ days: number }>`
          select coalesce(extract(epoch from vip_until - now()) / 86400, 0)::float as days from app_user where id = ${user.id}`.execute(
          database.db,
        )
        return Math.round((rows[0]?.days ?? 0) * 1_440) / 1_440
      },
    }
  }
  const month = await insertPlan(database.db)
  return {
    ...{ database, context, app, standIn, deps, logged, month, buyer },
    work: async () => {
      for (;;) {
        await expireOrders(database.db)
        if ((await doDue(deps)) === 0) return
      }
    },
    later: (seconds, userId) => letOrdersAge(database.db, seconds, userId),
    close: async () => {
      await app.close()
      await standIn.close()
      await database.drop()
    },
  }
}
