import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.mjs'
import { buildApp } from '../../src/app.ts'
import { look } from '../../src/payment/look.ts'
import { paymentDeps } from '../../src/payment/payment-deps.ts'
import { acceptNotification } from '../../src/payment/payment-notification.ts'
import { signedOf } from '../../src/payment/signature.ts'
import { changedNotices, sendAll, sendable } from '../drills/notice-drills.ts'
import { insertPlan } from '../fixtures/orders.ts'
import { type Buyer, openShop, type Shop } from '../fixtures/shop.ts'
import { testWorld } from '../fixtures/world.ts'
import type { PayNotice } from '../stand-ins/pay-stand-in.ts'
import { makePayKeys, signedHeaders } from '../stand-ins/pay-stand-in-keys.ts'

// What comes to the address that anybody may call (G4), and clocks that are wrong (G12).

let shop: Shop
let buyer: Buyer

beforeAll(async () => {
  shop = await openShop()
})
beforeEach(async () => {
  buyer = await shop.buyer()
})
afterEach(() => {
  shop.standIn.courier = () => 'send'
})
afterAll(() => shop.close())

const path = '/v1/payment/wechat/notify'
const post = async ({ headers, body }: PayNotice) => {
  const answer = await shop.app.inject({ method: 'POST', url: path, headers, payload: body })
  return { status: answer.statusCode, body: answer.body }
}
/** An order whose money has come, its notice still on the way. */
async function paidUnheard() {
  shop.standIn.courier = () => 'hold'
  const order = await buyer.order()
  const otn = await buyer.scan(order)
  shop.standIn.pay(otn)
  return { order, otn, notice: shop.standIn.held.pop()! }
}
const count = async (table: string) =>
  Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(shop.database.db)).rows[0]!.n)

test('a notification sent a hundred times, fifty concurrently, grants its days once; every answer is 204', async () => {
  const { order, notice } = await paidUnheard()
  const before = await buyer.days()
  // None of the first knows of the others when it begins; none fails for that.
  const signed = signedOf((name) => notice.headers[name], notice.body)
  expect(await Promise.all(Array.from({ length: 8 }, () => acceptNotification(shop.deps, signed)))).toEqual(Array(8).fill(204))
  const { statuses } = await sendAll(Array<PayNotice>(92).fill(notice), 50, async (one) => (await post(one)).status)
  expect(statuses.get(204)).toBe(92)
  expect([...statuses.keys()].filter((status) => status !== 204 && status !== 503)).toEqual([])
  expect(await buyer.status(order)).toBe(6)
  expect((await buyer.days()) - before).toBeCloseTo(30, 2)
  const notices = await shop.database.db.selectFrom('payment_notice').select(['times', 'outcome']).execute()
  expect(notices).toEqual([{ times: 100, outcome: 'known' }])
})

test('a notification changed anywhere is answered by 401 and has no effect', async () => {
  const { order, notice } = await paidUnheard()
  const [payments, notices] = [await count('payment'), await count('payment_notice')]
  let sent = 0
  // One in ten takes the whole way; the others go to the handler behind the route. `npm run drill:notices` sends all of them over HTTP.
  const send = async (one: PayNotice) =>
    sent++ % 10 === 0
      ? (await post(sendable(one))).status
      : acceptNotification(
          shop.deps,
          signedOf((name) => one.headers[name], one.body),
        )
  const { statuses } = await sendAll(changedNotices(notice, shop.standIn.keys, 1_000, 20261122), 1, send)
  expect([...statuses]).toEqual([[401, 1_000]])
  expect([await count('payment'), await count('payment_notice')]).toEqual([payments, notices])
  expect(await buyer.status(order)).toBe(1)
  expect((await post(notice)).status).toBe(204)
  expect(await buyer.status(order)).toBe(6)
})

describe('a signed notification without effect', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['of another amount', { amount: { total: 1, payer_total: 1, currency: 'CNY' } }, 'mismatch'],
    ['of more than was asked', { amount: { total: 290_000, payer_total: 290_000, currency: 'CNY' } }, 'mismatch'],
    ['of another currency', { amount: { total: 2_900, payer_total: 2_900, currency: 'USD' } }, 'mismatch'],
    ['of another merchant', { mchid: '1900000999' }, 'mismatch'],
    ['of another application', { appid: 'wxother' }, 'mismatch'],
    ['of a number that is none of ours', { out_trade_no: 'V261122NOBODYKNOWSIT01' }, 'unknown order'],
  ])('%s is recorded for the operator and grants nothing', async (_name, over, what) => {
    const { order, otn } = await paidUnheard()
    expect((await post(shop.standIn.noticeOf(otn, over))).status).toBe(204)
    expect(await buyer.status(order)).toBe(1)
    const transaction_id = shop.standIn.book.get(otn)!.transactionId
    const rows = await shop.database.db.selectFrom('payment_anomaly').select('what').where('transaction_id', '=', transaction_id!).execute()
    expect(rows).toEqual([{ what }])
    await buyer.ask('GET', `/v1/order/${order}/status`)
  })

  test('of a trade that did not succeed', async () => {
    const { order, otn } = await paidUnheard()
    for (const over of [
      { trade_state: 'NOTPAY' },
      { trade_state: 'CLOSED' },
      { transaction_id: undefined },
      { amount: undefined },
      { success_time: 'soon' },
    ]) {
      expect((await post(shop.standIn.noticeOf(otn, over))).status).toBe(204)
    }
    expect(await buyer.status(order)).toBe(1)
    await buyer.ask('GET', `/v1/order/${order}/status`)
    expect(await buyer.status(order)).toBe(6)
  })

  test('of a payment that belongs to another order', async () => {
    const first = await paidUnheard()
    await post(first.notice)
    const second = await paidUnheard()
    const transaction_id = shop.standIn.book.get(first.otn)!.transactionId
    expect((await post(shop.standIn.noticeOf(second.otn, { transaction_id }))).status).toBe(204)
    expect(await buyer.status(second.order)).toBe(1)
    await post(second.notice)
    expect(await buyer.status(second.order)).toBe(6)
  })
})

describe('clocks', () => {
  const groundAt = (now: () => Date) =>
    paymentDeps(shop.database.db, testWorld(shop.database, { now, config: { wechatPay: { ...shop.deps.pay.settings } } }).context)!

  test.each([[-24], [-1], [-1 / 6], [1 / 6], [24]])(
    'of the process off by %f hours: notices are refused, and asking WeChat settles all the same',
    async (hours) => {
      const { order, otn, notice } = await paidUnheard()
      const deps = groundAt(() => new Date(Date.now() + hours * 3_600_000))
      expect(
        await acceptNotification(
          deps,
          signedOf((name) => notice.headers[name], notice.body),
        ),
      ).toBe(401)
      const before = await buyer.days()
      await look(deps, otn)
      expect(await buyer.status(order)).toBe(6)
      // Days are counted by the database's clock.
      expect((await buyer.days()) - before).toBeCloseTo(30, 2)
    },
  )

  test('of the process that change: queries at WeChat succeed throughout', async () => {
    const { otn } = await paidUnheard()
    let off = 0
    const deps = groundAt(() => new Date(Date.now() + off))
    for (const minutes of [0, 15, 0, -20, -5, 0]) {
      off = minutes * 60_000
      expect((await deps.pay.query(otn, 5_000)).is, `${minutes} minutes`).toBe('done')
    }
  })

  test.each([
    [299, 204],
    [301, 401],
    [-299, 204],
    [-301, 401],
  ])('a notice signed %i seconds ago is answered %i', async (seconds, status) => {
    const { notice } = await paidUnheard()
    // At a clock that stands: a busy machine may take longer than the second that is between them.
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
    const headers = { ...notice.headers, ...signedHeaders(shop.standIn.keys, notice.body, now.getTime() - seconds * 1_000) }
    const signed = signedOf((name) => headers[name], notice.body)
    expect(
      await acceptNotification(
        groundAt(() => now),
        signed,
      ),
    ).toBe(status)
  })
})

test('certificates in place of the public key are fetched and decrypted, at most once a minute', async () => {
  const other = await openShop({ certificates: true })
  try {
    const user = await other.buyer()
    const order = await user.order()
    other.standIn.pay(await user.scan(order))
    await expect.poll(() => user.status(order)).toBe(6)
    const unknown = { ...other.standIn.noticeOf([...other.standIn.book.keys()][0]!) }
    unknown.headers['wechatpay-serial'] = 'F'.repeat(40)
    for (let i = 0; i < 20; i++) expect(await other.standIn.deliver(unknown)).toBe(401)
    expect(other.standIn.calls.filter((call) => call.endsWith('/certificates'))).toHaveLength(1)
  } finally {
    await other.close()
  }
})

test('an unreadable certificate counts as missing: answers are not trusted, the process goes on', async () => {
  const keys = makePayKeys()
  const { certificate } = keys.platform
  const other = await openShop({ certificates: true, keys })
  try {
    let later = 0
    const user = await other.buyer()
    const otn = await user.scan(await user.order())
    const fresh = () =>
      paymentDeps(
        other.database.db,
        testWorld(other.database, {
          now: () => new Date(Date.now() + later),
          config: { wechatPay: { ...other.deps.pay.settings } },
        }).context,
      )!.pay
    const knowing = fresh()
    expect((await knowing.query(otn, 5_000)).is).toBe('done')
    Object.assign(keys.platform, { certificate: 'none' })
    expect(await fresh().query(otn, 5_000)).toEqual({ is: 'unclear', code: 'SIGNATURE' })
    // Half a day later they are asked for again, and nobody waits for them.
    later = 13 * 3_600_000
    other.standIn.later(13 * 3_600)
    expect((await knowing.query(otn, 5_000)).is).toBe('done')
    await expect.poll(() => other.standIn.calls.filter((call) => call.endsWith('/certificates')).length).toBe(4)
    // Four years later the one that it knows has ended: it is asked for anew, and without another nothing is believed.
    later = 1_461 * 86_400_000
    other.standIn.later(1_461 * 86_400)
    expect(await knowing.query(otn, 5_000)).toEqual({ is: 'unclear', code: 'SIGNATURE' })
    expect(other.standIn.calls.filter((call) => call.endsWith('/certificates'))).toHaveLength(5)
    later = 0
    other.standIn.later(-1_461 * 86_400)
    Object.assign(keys.platform, { certificate })
    expect((await fresh().query(otn, 5_000)).is).toBe('done')
  } finally {
    await other.close()
  }
})

test('certificates and public key are both valid while a merchant changes over', async () => {
  const { id, publicKey: pem } = shop.standIn.keys.platform
  const other = await openShop({ certificates: true, over: { publicKey: { id, pem } } })
  try {
    const { keys } = other.standIn
    const user = await other.buyer()
    other.standIn.courier = () => 'hold'
    // The answers to these were signed by the certificate.
    const orders = [await user.order(), await user.order(await insertPlan(other.database.db))]
    for (const order of orders) other.standIn.pay(await user.scan(order))
    const [first, second] = other.standIn.held
    expect(await other.standIn.deliver(first!)).toBe(204)
    const byKey = signedHeaders(keys, second!.body, Date.now(), keys.platform.id)
    expect(await other.standIn.deliver({ headers: { ...second!.headers, ...byKey }, body: second!.body })).toBe(204)
    expect([await user.status(orders[0]!), await user.status(orders[1]!)]).toEqual([6, 6])
    const unknown = signedHeaders(keys, second!.body, Date.now(), 'PUB_KEY_ID_02')
    expect(await other.standIn.deliver({ headers: { ...second!.headers, ...unknown }, body: second!.body })).toBe(401)
  } finally {
    await other.close()
  }
})

test('an unreachable gateway is reported (31008); the order can be paid when it is back', async () => {
  const order = await buyer.order()
  const away = testWorld(shop.database, {
    config: { wechatPay: { ...shop.deps.pay.settings, url: `http://127.0.0.1:${await freePort()}` } },
  }).context
  const app = await buildApp(away)
  const asked = await app.inject({
    method: 'POST',
    url: '/v1/payment/wechat/native/process',
    headers: { 'access-token': buyer.token },
    payload: { order_id: order },
  })
  expect([asked.statusCode, asked.json().code]).toEqual([503, 31008])
  expect(await buyer.status(order)).toBe(1)
  // After five unanswered calls in a row the next is refused at once, and no attempt is written for it.
  const open = (order_id: string) =>
    app.inject({
      method: 'POST',
      url: '/v1/payment/wechat/native/process',
      headers: { 'access-token': buyer.token },
      payload: { order_id },
    })
  for (let i = 1; i < 5; i++) await open(order)
  const other = await buyer.order(await insertPlan(shop.database.db))
  expect((await open(other)).json()).toMatchObject({ code: 31008, msg: '支付服务暂时不可用，请稍后重试' })
  expect(await buyer.status(other)).toBe(0)
  await app.close()
  shop.standIn.pay(await buyer.scan(order))
  await expect.poll(() => buyer.status(order)).toBe(6)
})

test('without a merchant nothing is sold, and nothing else breaks', async () => {
  const app = await buildApp(testWorld(shop.database).context)
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.inject({ method, url, headers: { 'access-token': buyer.token }, ...(payload && { payload }) })).json()
  expect((await ask('GET', '/v1/website')).data.features.wechat_pay).toBe(false)
  expect(await ask('GET', '/v1/vip/list')).toMatchObject({ code: 0 })
  expect(await ask('POST', '/v1/vip/subscription/order', { plan_id: shop.month })).toMatchObject({ code: 31008, msg: '本站未开通微信支付' })
  expect((await ask('GET', '/v1/order/list')).code).toBe(0)
  expect((await app.inject({ method: 'POST', url: path, payload: '{}' })).statusCode).toBe(401)
  await app.close()
})
