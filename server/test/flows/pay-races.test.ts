import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertPlan } from '../fixtures/orders.ts'
import { type Buyer, openShop, type Shop } from '../fixtures/shop.ts'

// Two that meet at one order, and one that dies in the middle. Nothing is left to chance: a lock of the test's own stops them where they meet.

let shop: Shop
let buyer: Buyer

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.standIn.courier = () => 'hold'
  shop.standIn.held.length = 0
  buyer = await shop.buyer()
})

/** Runs `meet` while the statement's lock is held, lets go, and waits for what was begun. */
async function held<T>(lock: ReturnType<typeof sql>, meet: () => Promise<T>): Promise<T> {
  return shop.database.db.connection().execute(async (one) => {
    await sql`begin`.execute(one)
    await lock.execute(one)
    try {
      return await meet()
    } finally {
      await sql`commit`.execute(one)
    }
  })
}
const waiting = async (): Promise<number[]> => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.database.db)
  return rows.map(({ pid }) => pid)
}
const orderHeld = (id: string) => sql`select from vip_order where id = ${id} for update`
const hear = () => shop.standIn.deliver(shop.standIn.held.shift()!)
const effectsOf = async (order: string) =>
  (await shop.database.db.selectFrom('payment').select('effect').where('order_id', '=', order).orderBy('effect').execute()).map(
    ({ effect }) => effect,
  )

/** An order whose payer has left its first code and pays by it all the same. */
async function leftAndPaid() {
  const order = await buyer.order()
  const otn = await buyer.scan(order)
  await buyer.ask('POST', '/v1/payment/wechat/native/close', { order_id: order })
  shop.standIn.book.get(otn)!.state = 'NOTPAY'
  shop.standIn.pay(otn)
  return order
}

describe('concurrently', () => {
  test('of two payments of one order one grants the days, the other is refunded', async () => {
    const order = await leftAndPaid()
    shop.standIn.pay(await buyer.scan(order))
    const heard = await held(orderHeld(order), async () => {
      const both = Promise.all([hear(), hear()])
      await expect.poll(waiting).toHaveLength(2)
      return { both }
    })
    expect(await heard.both).toEqual([204, 204])
    expect(await effectsOf(order)).toEqual(['GRANT', 'REFUND'])
    expect(await buyer.status(order)).toBe(6)
    expect(await buyer.days()).toBeCloseTo(30, 2)
  })

  test('a cancelled order with a payment stays cancelled, and the payment is refunded', async () => {
    const order = await leftAndPaid()
    const met = await held(orderHeld(order), async () => {
      const cancelled = buyer.ask<{ status: number }>('DELETE', `/v1/order/${order}`)
      await expect.poll(waiting).toHaveLength(1)
      const heard = hear()
      await expect.poll(waiting).toHaveLength(2)
      return { cancelled, heard }
    })
    expect((await met.cancelled).data).toEqual({ status: 5 })
    expect(await met.heard).toBe(204)
    expect(await effectsOf(order)).toEqual(['REFUND'])
    expect(await buyer.days()).toBe(0)
  })

  test('a payment of an account that was deleted meanwhile is refunded, and its order is closed by the user', async () => {
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order))
    await shop.database.db.deleteFrom('app_user').where('id', '=', buyer.id).execute()
    expect(await hear()).toBe(204)
    expect(await effectsOf(order)).toEqual(['REFUND'])
    const { status, closed_by } = await shop.database.db
      .selectFrom('vip_order')
      .select(['status', 'closed_by'])
      .where('id', '=', order)
      .executeTakeFirstOrThrow()
    expect({ status, closed_by }).toEqual({ status: 5, closed_by: 'user' })
  })

  test('a plan ordered again during its payment: both requests are answered, the days are granted', async () => {
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order))
    // The money waits behind its order, the user behind the money.
    const met = await held(sql`select from payment_attempt where order_id = ${order} for update`, async () => {
      const heard = hear()
      await expect.poll(waiting).toHaveLength(1)
      const again = buyer.ask('POST', '/v1/vip/subscription/order', { plan_id: shop.month })
      await expect.poll(waiting).toHaveLength(2)
      return { heard, again }
    })
    expect([await met.heard, (await met.again).status]).toEqual([204, 200])
    expect(await effectsOf(order)).toEqual(['GRANT'])
    expect(await buyer.days()).toBeCloseTo(30, 2)
  })

  test('payments of two orders of one user grant days one after the other', async () => {
    const orders = [await buyer.order(), await buyer.order(await insertPlan(shop.database.db, { days: 7 }))]
    for (const order of orders) shop.standIn.pay(await buyer.scan(order))
    const heard = await held(sql`select from app_user where id = ${buyer.id} for update`, async () => {
      const both = Promise.all([hear(), hear()])
      await expect.poll(waiting).toHaveLength(2)
      return { both }
    })
    expect(await heard.both).toEqual([204, 204])
    expect(await buyer.days()).toBeCloseTo(37, 2)
  })
})

describe('a lost database connection', () => {
  test('between a payment and its days rolls back, is no success to WeChat, and the next notification has its full effect', async () => {
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order))
    const notice = shop.standIn.held[0]!
    // The payment is written before its days: a transaction that waits for this table is in the middle.
    const met = await held(sql`lock table subscription_grant in share mode`, async () => {
      const heard = shop.standIn.deliver(notice)
      await expect.poll(waiting).toHaveLength(1)
      await sql`select pg_terminate_backend(${(await waiting())[0]})`.execute(shop.database.db)
      return { heard }
    })
    expect(await met.heard).toBe(503)
    expect([await buyer.status(order), await effectsOf(order), await buyer.days()]).toEqual([1, [], 0])
    expect(await shop.standIn.deliver(notice)).toBe(204)
    expect([await buyer.status(order), await effectsOf(order)]).toEqual([6, ['GRANT']])
    expect(await buyer.days()).toBeCloseTo(30, 2)
  })
})

describe('somebody else’s order, where a merchant is asked', () => {
  test.each([
    ['GET', (id: string) => `/v1/order/${id}`],
    ['GET', (id: string) => `/v1/order/${id}/status`],
    ['DELETE', (id: string) => `/v1/order/${id}`],
    ['POST', () => '/v1/payment/wechat/native/process'],
    ['POST', () => '/v1/payment/wechat/native/close'],
    ['POST', () => '/v1/payment/wechat/jsapi/process'],
    ['POST', () => '/v1/payment/wechat/jsapi/close'],
  ] as const)('%s %s answers as for one that is missing, and does nothing', async (method, path) => {
    const [order, open] = [await buyer.order(), await buyer.order(await insertPlan(shop.database.db))]
    await buyer.scan(open)
    const stranger = await shop.buyer()
    const asked = shop.standIn.calls.length
    const ask = (id: string) => stranger.ask(method, path(id), method === 'POST' ? { order_id: id } : undefined)
    const missing = await ask(uuid())
    expect(missing).toMatchObject({ status: 404, code: 40004 })
    for (const id of [order, open]) {
      const { status, code, msg, data } = await ask(id)
      expect([status, code, msg, data]).toEqual([missing.status, missing.code, missing.msg, missing.data])
    }
    expect(shop.standIn.calls.length).toBe(asked)
    expect([await buyer.status(order), await buyer.status(open)]).toEqual([0, 1])
  })
})
