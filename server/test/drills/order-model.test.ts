import type { VipOrderStatus } from '@convexa/contract'
import { orderStatus } from '@convexa/contract/enums/order-status'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Store } from '../../src/db/connect.ts'
import type { Cause } from '../../src/db/tables/orders.ts'
import { placeGrants } from '../../src/user/subscription.ts'
import { insertPlan } from '../fixtures/orders.ts'
import { openShop, type Shop } from '../fixtures/shop.ts'
import { doing, type Known, knowing, noCrash, prepareCrashes, type Step, step, tradesOf } from './order-model.ts'
import { steadily } from './paying/book.ts'

// Anything that may happen to orders, in any sequence. The stand-in's book says what was really paid, the model what was wanted and
// acknowledged; after every step our rows must agree with both and with themselves, and in the end nothing is left open.
// `npm run drill:orders` walks 20,000 sequences.

const sequences = Number(process.env['ORDER_SEQUENCES'] ?? 3)
const seed = Number(process.env['ORDER_SEED'] ?? 20261122)

/** Paid and given, and paid when it was over: a few random sequences may hold neither. */
const examples: [Step[]][] = [
  [[{ do: 'scan' }, { do: 'pay', which: 0, late: false }, { do: 'hear', which: 0, times: 1 }]],
  [[{ do: 'scan' }, { do: 'cancel' }, { do: 'pay', which: 0, late: true }, { do: 'hear', which: 0, times: 2 }]],
]

let shop: Shop
/** A connection of the test's own, which does not die with others. */
let eyes: Store
let take: (known: Known, step: Step) => Promise<void>

beforeAll(async () => {
  shop = await openShop()
  eyes = connect(shop.database.url)
  take = doing(shop, eyes.db, await insertPlan(eyes.db, { days: 7, price_fen: 700 }))
  await prepareCrashes(eyes.db)
})
afterAll(async () => {
  await eyes.close()
  await shop.close()
})

/** Why an order may have come to a status, by what the model knows; the ways there are a matter of the table of transitions. */
const reasons: Record<VipOrderStatus, (known: Known, id: string, cause: Cause, paid: ReadonlySet<string>) => boolean> = {
  [orderStatus.waitPaying]: (_known, _id, cause) => cause === 'user',
  [orderStatus.paying]: (_known, _id, cause) => cause === 'user',
  [orderStatus.payFailed]: (_known, _id, cause) => cause === 'answer',
  [orderStatus.payQuit]: ({ left, lapsed, over }, id, cause) => cause === 'user' && (left.has(id) || lapsed.has(id) || over.has(id)),
  [orderStatus.payFinished]: (_known, id, cause, paid) => ['notice', 'query', 'close', 'bill'].includes(cause) && paid.has(id),
  [orderStatus.quit]: ({ cancelled, over }, id, cause) =>
    cause === 'user' ? cancelled.has(id) || over.has(id) : cause === 'timeout' && over.has(id),
  [orderStatus.finished]: (_known, id, cause, paid) => ['notice', 'query', 'close', 'bill'].includes(cause) && paid.has(id),
}

/** What holds at every moment. */
async function agree(known: Known): Promise<void> {
  const { buyer, ended, heard } = known
  const { db } = eyes
  const rows = await db.selectFrom('vip_order').selectAll().where('user_id', '=', buyer.id).execute()
  if (rows.length === 0) return
  // One whose answer was lost is an order all the same.
  for (const { id } of rows) known.orders.add(id)
  const ids = [...known.orders]
  const attempts = await db.selectFrom('payment_attempt').selectAll().where('order_id', 'in', ids).execute()
  const payments = await db.selectFrom('payment').selectAll().where('order_id', 'in', ids).execute()
  const refunds = await db
    .selectFrom('refund as r')
    .innerJoin('payment as p', 'p.transaction_id', 'r.transaction_id')
    .select(['r.transaction_id', 'r.amount_fen', 'r.reason', 'r.state'])
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
  const orderOf = new Map(attempts.map(({ otn, order_id }) => [otn, order_id]))
  const paid = new Set(
    (await tradesOf(db, shop.standIn, known)).flatMap(({ otn, transactionId }) => (transactionId ? [orderOf.get(otn)!] : [])),
  )

  expect(rows, 'an order that was acknowledged is there').toHaveLength(ids.length)
  for (const order of rows) {
    const live = attempts.filter(({ order_id, state }) => order_id === order.id && ['INIT', 'OPEN', 'CLOSING', 'UNKNOWN'].includes(state))
    const granting = payments.filter(({ order_id, effect }) => order_id === order.id && effect === 'GRANT')
    const given = grants.filter(({ order_id }) => order_id === order.id)
    expect([order.status, granting.length, given.length], 'paid and granted').toEqual(order.status === 6 ? [6, 1, 1] : [order.status, 0, 0])
    expect(order.status === 4, 'money without its days').toBe(false)
    if (order.status === 1) expect(live, 'being paid by one attempt').toHaveLength(1)
    else if (order.status !== 6) expect(live, 'no attempt but of an order that is being paid').toEqual([])
    // What happened to it leads to where it is, and each move has its reason.
    const own = events.filter(({ order_id }) => order_id === order.id)
    expect(own.map(({ to_status }) => to_status).slice(0, -1)).toEqual(own.map(({ from_status }) => from_status).slice(1))
    expect(own.at(-1)?.to_status).toBe(order.status)
    for (const { to_status, cause } of own)
      expect(reasons[to_status as VipOrderStatus](known, order.id, cause as Cause, paid), `${to_status} because of ${cause}`).toBe(true)
    if (ended.has(order.id)) expect(order.status, 'what a user was told to be the end').toBe(ended.get(order.id))
  }
  for (const otn of heard)
    expect(
      payments.some((payment) => payment.otn === otn),
      'money that WeChat was told to be heard',
    ).toBe(true)
  for (const { transaction_id, effect, total_fen } of payments) {
    const back = refunds.filter((one) => one.transaction_id === transaction_id)
    const [byItself, byHand] = [back.filter(({ reason }) => reason !== 'OPERATOR'), back.filter(({ reason }) => reason === 'OPERATOR')]
    expect(
      byItself.map(({ amount_fen }) => amount_fen),
      'each payment has one effect',
    ).toEqual(effect === 'REFUND' ? [total_fen] : [])
    const sum = byHand.reduce((fen, { amount_fen }) => fen + amount_fen, 0)
    expect(sum, 'never more goes back than came').toBeLessThanOrEqual(effect === 'GRANT' ? total_fen : 0)
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
  await noCrash(eyes.db)
  for (const id of known.orders) known.over.add(id)
  for (const seconds of [60, 16 * 60, 600, 600, 90_000, 90_000]) {
    // A connection that has just died is found out at its next use.
    await steadily(() => shop.later(seconds, known.buyer.id))
    await steadily(() => shop.work())
  }
  await agree(known)
  const { db } = eyes
  const orders = await db.selectFrom('vip_order').select(['id', 'status', 'days']).where('user_id', '=', known.buyer.id).execute()
  expect(
    orders.filter(({ status }) => status !== 5 && status !== 6),
    'every order has come to its end',
  ).toEqual([])
  let days = 0
  for (const trade of await tradesOf(db, shop.standIn, known)) {
    if (!trade.transactionId) continue
    const payment = await db.selectFrom('payment').selectAll().where('transaction_id', '=', trade.transactionId).executeTakeFirst()
    expect(payment, 'money that WeChat has is known').toMatchObject({ otn: trade.otn, total_fen: trade.total })
    const back = [...shop.standIn.refunds.values()].filter(({ otn }) => otn === trade.otn).map(({ amount }) => amount)
    if (payment!.effect === 'REFUND') expect(back, 'what gave no days went back, once').toEqual([trade.total])
    else if (!known.given.has(payment!.order_id)) days += orders.find(({ id }) => id === payment!.order_id)!.days
  }
  expect(await steadily(known.buyer.days), 'all days that were paid and not given back, no other').toBeCloseTo(days, 1)
}

test(`random sequences of events leave orders in a right state (${sequences} sequences)`, async () => {
  const effects = { granted: 0, refunded: 0, steps: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      await noCrash(eyes.db)
      const known = knowing(await shop.buyer())
      shop.standIn.troubles.length = 0
      shop.standIn.held.length = 0
      shop.standIn.courier = () => 'hold'
      for (const one of [{ do: 'order' } as const, ...steps]) {
        await take(known, one)
        await agree(known)
      }
      await agreeWithBook(known)
      const { rows } = await sql<{ effect: 'GRANT' | 'REFUND' }>`
        select effect from payment p join vip_order o on o.id = p.order_id where o.user_id = ${known.buyer.id}`.execute(eyes.db)
      for (const { effect } of rows) effects[effect === 'GRANT' ? 'granted' : 'refunded']++
      effects.steps += steps.length + 1
    }),
    { numRuns: examples.length + sequences, examples, seed, endOnFailure: sequences > 1_000 },
  )
  const { granted, refunded, steps } = effects
  console.info(`orders: ${examples.length + sequences} sequences of ${steps} steps, ${granted} payments granted, ${refunded} given back`)
  expect(granted).toBeGreaterThan(0)
  expect(refunded).toBeGreaterThan(0)
}, 3_600_000)
