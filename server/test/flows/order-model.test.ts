import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeGrants } from '../../src/vip/subscription.ts'
import { insertPlan } from '../orders.ts'
import type { PayTrouble } from '../pay-stand-in.ts'
import { type Buyer, openShop, type Shop } from '../shop.ts'

// Anything that a user, WeChat, the clock and the network may do to an order, in any sequence. The stand-in's book says what was really
// paid; after every step our rows must agree with themselves, and in the end with the book. `ORDER_SEQUENCES=20000 vitest run …` for more.

const sequences = Number(process.env['ORDER_SEQUENCES'] ?? 40)

let shop: Shop
let plan: string

beforeAll(async () => {
  shop = await openShop()
  plan = await insertPlan(shop.database.db, { days: 7, price_fen: 700 })
})
afterAll(() => shop.close())

type Step =
  | { do: 'order' | 'scan' | 'leave' | 'cancel' | 'ask' | 'work' | 'expire' }
  /** The payer pays by one of the order's codes; `late`: WeChat takes it although it had said that it is closed. */
  | { do: 'pay'; which: number; late: boolean }
  /** A notice is heard, again, or by several at once. */
  | { do: 'hear'; which: number; times: number }
  | { do: 'wait'; seconds: number }
  /** What the next call of WeChat gets. A `done, then …` is our own death between asking and hearing. */
  | { do: 'trouble'; trouble: PayTrouble }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ do: 'order' }) },
  { weight: 8, arbitrary: fc.constant<Step>({ do: 'scan' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'leave' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'cancel' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'ask' }) },
  { weight: 2, arbitrary: fc.constant<Step>({ do: 'work' }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'expire' }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant('pay' as const), which: fc.nat(5), late: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('hear' as const), which: fc.nat(5), times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(3, 12, 61, 300) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trouble' as const),
      trouble: fc.constantFrom<PayTrouble>('busy', 'hang up', 'done, then hang up', 'unsigned', 'limited', {
        status: 403,
        code: 'NO_AUTH',
      }),
    }),
  },
)

interface Known {
  readonly buyer: Buyer
  order: string | null
  readonly orders: Set<string>
}

const run: { [K in Step['do']]: (known: Known, step: Extract<Step, { do: K }>) => Promise<unknown> } = {
  order: async (known) => {
    const { data } = await known.buyer.ask<{ order_id: string } | null>('POST', '/v1/vip/subscription/order', { plan_id: plan })
    if (!data) return
    known.order = data.order_id
    known.orders.add(data.order_id)
  },
  scan: ({ buyer, order }) => buyer.ask('POST', '/v1/payment/wechat/native/process', { order_id: order }),
  leave: ({ buyer, order }) => buyer.ask('POST', '/v1/payment/wechat/native/close', { order_id: order }),
  cancel: ({ buyer, order }) => buyer.ask('DELETE', `/v1/order/${order}`),
  ask: ({ buyer, order }) => buyer.ask('GET', `/v1/order/${order}/status`),
  work: () => shop.work(),
  expire: async () => {
    await shop.later(16 * 60)
    await shop.work()
  },
  pay: async (known, { which, late }) => {
    const trades = await tradesOf(known)
    const trade = trades[which % trades.length]
    if (!trade) return
    if (late && trade.state === 'CLOSED') trade.state = 'NOTPAY'
    shop.standIn.pay(trade.otn)
  },
  hear: async (_known, { which, times }) => {
    const { held } = shop.standIn
    const notice = held[which % held.length]
    if (notice) await Promise.all(Array.from({ length: times }, () => shop.standIn.deliver(notice)))
  },
  wait: (_known, { seconds }) => shop.later(seconds),
  trouble: async (_known, { trouble }) => shop.standIn.troubles.push(trouble),
}

async function tradesOf({ orders }: Known) {
  if (orders.size === 0) return []
  const rows = await shop.database.db
    .selectFrom('payment_attempt')
    .select('otn')
    .where('order_id', 'in', [...orders])
    .orderBy('otn')
    .execute()
  return rows.flatMap(({ otn }) => shop.standIn.book.get(otn) ?? [])
}

/** What holds at every moment. */
async function agree({ buyer, orders }: Known): Promise<void> {
  const { db } = shop.database
  if (orders.size === 0) return
  const ids = [...orders]
  const rows = await db.selectFrom('vip_order').selectAll().where('user_id', '=', buyer.id).execute()
  const attempts = await db.selectFrom('payment_attempt').selectAll().where('order_id', 'in', ids).execute()
  const payments = await db.selectFrom('payment').selectAll().where('order_id', 'in', ids).execute()
  const refunds = await db
    .selectFrom('refund as r')
    .innerJoin('payment as p', 'p.transaction_id', 'r.transaction_id')
    .select(['r.transaction_id', 'r.amount_fen', 'p.total_fen', 'p.effect'])
    .where('p.order_id', 'in', ids)
    .execute()
  const grants = await db
    .selectFrom('subscription_grant')
    .selectAll()
    .where('user_id', '=', buyer.id)
    .orderBy('granted_at')
    .orderBy('id')
    .execute()
  const events = await db.selectFrom('order_event').selectAll().where('order_id', 'in', ids).orderBy('id').execute()
  for (const order of rows) {
    const live = attempts.filter(({ order_id, state }) => order_id === order.id && ['INIT', 'OPEN', 'CLOSING', 'UNKNOWN'].includes(state))
    const granting = payments.filter(({ order_id, effect }) => order_id === order.id && effect === 'GRANT')
    const given = grants.filter(({ order_id }) => order_id === order.id)
    expect([order.status, granting.length, given.length], 'paid and granted').toEqual(order.status === 6 ? [6, 1, 1] : [order.status, 0, 0])
    expect(order.status === 4, 'money without its days').toBe(false)
    if (order.status === 1) expect(live, 'being paid by one attempt').toHaveLength(1)
    else if (order.status !== 6) expect(live, 'no attempt but of an order that is being paid').toEqual([])
    // What happened to it leads to where it is.
    const own = events.filter(({ order_id }) => order_id === order.id)
    expect(own.map(({ to_status }) => to_status).slice(0, -1)).toEqual(own.map(({ from_status }) => from_status).slice(1))
    expect(own.at(-1)?.to_status).toBe(order.status)
  }
  for (const { transaction_id, effect, total_fen } of payments) {
    const back = refunds.filter((one) => one.transaction_id === transaction_id).map(({ amount_fen }) => amount_fen)
    expect(back, 'each payment has one effect').toEqual(effect === 'REFUND' ? [total_fen] : [])
  }
  const places = placeGrants(
    grants.map((one) => ({
      id: one.id,
      days: one.days,
      grantedAt: one.granted_at.getTime(),
      revokedAt: one.revoked_at?.getTime() ?? null,
    })),
  )
  const { vip_until } = await db.selectFrom('app_user').select('vip_until').where('id', '=', buyer.id).executeTakeFirstOrThrow()
  expect(vip_until?.getTime() ?? null, 'the user’s end is that of the grants').toBe(places.at(-1)?.endsAt ?? null)
}

/** What holds when WeChat answers again and enough time has passed, without a single notice. */
async function agreeWithBook(known: Known): Promise<void> {
  shop.standIn.troubles.length = 0
  shop.standIn.held.length = 0
  for (const seconds of [60, 16 * 60, 600, 600, 90_000, 90_000]) {
    await shop.later(seconds)
    await shop.work()
  }
  await agree(known)
  const { db } = shop.database
  const open = await db
    .selectFrom('vip_order')
    .select('id')
    .where('user_id', '=', known.buyer.id)
    .where('status', 'not in', [5, 6])
    .execute()
  expect(open, 'every order has come to its end').toEqual([])
  for (const trade of await tradesOf(known)) {
    if (!trade.transactionId) continue
    const payment = await db.selectFrom('payment').selectAll().where('transaction_id', '=', trade.transactionId).executeTakeFirst()
    expect(payment, 'money that WeChat has is known').toMatchObject({ otn: trade.otn, total_fen: trade.total })
    const back = [...shop.standIn.refunds.values()].filter(({ otn }) => otn === trade.otn).map(({ amount }) => amount)
    expect(back, 'and went back where it gave no days, once').toEqual(payment!.effect === 'REFUND' ? [trade.total] : [])
  }
  const days = await known.buyer.days()
  const paid = await db
    .selectFrom('payment as p')
    .innerJoin('vip_order as o', 'o.id', 'p.order_id')
    .select('o.days')
    .where('o.user_id', '=', known.buyer.id)
    .where('p.effect', '=', 'GRANT')
    .execute()
  expect(days, 'all days that were paid, no other').toBeCloseTo(
    paid.reduce((sum, one) => sum + one.days, 0),
    1,
  )
}

test(`an order comes to a right end whatever happens to it (${sequences} sequences)`, async () => {
  const effects = { granted: 0, refunded: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const known: Known = { buyer: await shop.buyer(), order: null, orders: new Set() }
      shop.standIn.troubles.length = 0
      shop.standIn.held.length = 0
      shop.standIn.courier = () => 'hold'
      // Money of other sequences is theirs.
      for (const one of [{ do: 'order' } as const, ...steps]) {
        await run[one.do](known, one as never)
        await agree(known)
      }
      await agreeWithBook(known)
      const { rows } = await sql<{ effect: 'GRANT' | 'REFUND' }>`
        select effect from payment p join vip_order o on o.id = p.order_id where o.user_id = ${known.buyer.id}`.execute(shop.database.db)
      for (const { effect } of rows) effects[effect === 'GRANT' ? 'granted' : 'refunded']++
    }),
    { numRuns: sequences, seed: 20261122, endOnFailure: sequences > 1_000 },
  )
  console.info(`orders: ${sequences} sequences, ${effects.granted} payments granted, ${effects.refunded} given back`)
  expect(effects.granted).toBeGreaterThan(0)
  expect(effects.refunded).toBeGreaterThan(0)
}, 3_600_000)
