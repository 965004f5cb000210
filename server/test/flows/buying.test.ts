import { verify } from 'node:crypto'
import type { JsapiParameters, Order, Plan } from '@convexa/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sealFor } from '../../src/base/secret.ts'
import { refundOrder } from '../../src/payment/administration.ts'
import { payerOf } from '../../src/payment/payer.ts'
import { insertPlan } from '../fixtures/orders.ts'
import { type Buyer, openShop, type Shop } from '../fixtures/shop.ts'

// From the plan to the days, against a gateway that keeps its own book.

let shop: Shop
let buyer: Buyer

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.standIn.courier = () => 'send'
  shop.standIn.troubles.length = 0
  buyer = await shop.buyer()
})

const native = (order: string) =>
  buyer.ask<{ code_url: string; expire_at: string }>('POST', '/v1/payment/wechat/native/process', { order_id: order })
const leave = (order: string) => buyer.ask<{ status: number }>('POST', '/v1/payment/wechat/native/close', { order_id: order })
const cancel = (order: string) => buyer.ask<{ status: number }>('DELETE', `/v1/order/${order}`)
const rowsOf = async (table: 'payment' | 'payment_attempt', order: string) =>
  (await sql<Record<string, unknown>>`select * from ${sql.table(table)} where order_id = ${order}`.execute(shop.database.db)).rows
const refundsOf = async (order: string) =>
  (
    await sql<Record<string, unknown>>`
      select r.* from refund r join payment p using (transaction_id) where p.order_id = ${order}`.execute(shop.database.db)
  ).rows

test('a plan states its price, its days and its limits beside the free ones', async () => {
  const { data } = await buyer.ask<Plan[]>('GET', '/v1/vip/list')
  expect(data).toMatchObject([{ plan_id: shop.month, plan_name: '月度会员', days: 30, price_fen: 2_900, recommended: false }])
  expect(data[0]!.benefits).toContainEqual({ key: 'backtest', label: '每日回测', value: '200 次', free: '20 次' })
  expect(data[0]!.benefits).toContainEqual({ key: 'formula_cost', label: '公式计算量', value: '20 亿个数值', free: '5 亿个数值' })
})

describe('payment by QR code', () => {
  test('the payment notification grants the days, once', async () => {
    const order = await buyer.order()
    expect(await buyer.show(order)).toMatchObject({ status: 0, amount_fen: 2_900, pay_type: null })
    const otn = await buyer.scan(order)
    expect(await buyer.status(order)).toBe(1)
    expect(shop.standIn.pay(otn)).toBe(true)
    await expect.poll(() => buyer.status(order)).toBe(6)
    expect(await buyer.days()).toBeCloseTo(30, 2)
    const shown = await buyer.show(order)
    expect(shown).toMatchObject({ pay_type: 'NATIVE', transaction_id: shop.standIn.book.get(otn)!.transactionId })
    expect(Date.parse(shown.ends_at!) - Date.parse(shown.starts_at!)).toBe(30 * 86_400_000)
    expect((await buyer.ask<{ vip: object }>('GET', '/v1/user/info')).data.vip).toEqual({
      level: 1,
      plan_name: '月度会员',
      expire_at: shown.ends_at,
    })
    const { rows } = await sql<{ from_status: number; to_status: number }>`
      select from_status, to_status from order_event where order_id = ${order} order by id`.execute(shop.database.db)
    expect(rows.map((row) => [row.from_status, row.to_status])).toEqual([
      [null, 0],
      [0, 1],
      [1, 4],
      [4, 6],
    ])
  })

  test('without notifications the waiting page makes the server query WeChat', async () => {
    shop.standIn.courier = () => 'lose'
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order))
    expect((await buyer.ask('GET', `/v1/order/${order}/status`)).data).toEqual({ order_id: order, status: 6 })
  })

  test('without notifications and without a waiting page the worker queries WeChat', async () => {
    shop.standIn.courier = () => 'lose'
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order))
    await shop.later(6)
    await shop.work()
    expect(await buyer.status(order)).toBe(6)
  })

  test('with a coupon the ordered amount counts, not the amount paid', async () => {
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order), 1_900)
    await expect.poll(() => buyer.status(order)).toBe(6)
    expect(await rowsOf('payment', order)).toMatchObject([{ total_fen: 2_900, payer_total_fen: 1_900 }])
  })

  test('a second purchase adds its days after those that are left', async () => {
    for (const days of [30, 60]) {
      const order = await buyer.order()
      shop.standIn.pay(await buyer.scan(order))
      await expect.poll(() => buyer.status(order)).toBe(6)
      expect(await buyer.days()).toBeCloseTo(days, 2)
    }
  })

  test('an order keeps the price and the name of its plan', async () => {
    const plan = await insertPlan(shop.database.db, { name: '旧名', price_fen: 100, days: 7 })
    const order = await buyer.order(plan)
    await shop.database.db
      .updateTable('vip_plan')
      .set({ name: '新名', price_fen: 999, days: 1, on_sale: false })
      .where('id', '=', plan)
      .execute()
    const otn = await buyer.scan(order)
    expect(shop.standIn.book.get(otn)).toMatchObject({ total: 100, description: expect.stringContaining('旧名') })
    shop.standIn.pay(otn)
    await expect.poll(() => buyer.status(order)).toBe(6)
    expect(await buyer.show(order)).toMatchObject({ plan_name: '旧名', amount_fen: 100 })
    expect(await buyer.days()).toBeCloseTo(7, 2)
  })
})

describe('inside WeChat', () => {
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50'
  const jsapi = async (order: string, userAgent: string) => {
    const headers = { 'access-token': buyer.token, 'user-agent': userAgent }
    const answer = await shop.app.inject({ method: 'POST', url: '/v1/payment/wechat/jsapi/process', headers, payload: { order_id: order } })
    return answer.json() as { code: number; data: JsapiParameters }
  }
  const known = () =>
    shop.database.db
      .insertInto('wechat_payer')
      .values({ user_id: buyer.id, sealed: sealFor(shop.context.config, 'wechat payer', 'oPayer') })
      .execute()

  test.each([
    ['a desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0'],
    ['a phone outside of WeChat', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1'],
    ['WeChat on a desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) MicroMessenger/3.9'],
  ])('%s gets the hint where to pay (31010)', async (_name, userAgent) => {
    await known()
    expect(await jsapi(await buyer.order(), userAgent)).toMatchObject({ code: 31010, data: null, msg: '请在手机微信中打开本页面完成支付' })
  })

  test('a payer without an openid of the paying application is sent to authorize (31010)', async () => {
    // Not 请在手机微信中打开: that is where the buyer is.
    expect(await jsapi(await buyer.order(), phone)).toMatchObject({
      ...{ code: 31010, msg: '本站未开通微信内支付，请在电脑上打开本页面扫码支付' },
    })
    const { database, context } = shop
    const wechatPay = context.config.wechatPay && { ...context.config.wechatPay, appSecret: 'secret' }
    await expect(
      payerOf({ db: database.db, config: { ...context.config, wechatPay }, log: () => {} }, buyer.id, undefined),
    ).rejects.toThrow('微信还没有确认付款人，请重新打开本页面后再支付')
  })

  test('an openid of another or an unknown application is not used', async () => {
    const { database, context } = shop
    const own = context.config.wechatPay!
    const payer = (appSecret: string | null) =>
      payerOf({ db: database.db, config: { ...context.config, wechatPay: { ...own, appSecret } }, log: () => {} }, buyer.id, undefined)
    const of = (app_id: string | null) => database.db.updateTable('wechat_payer').set({ app_id }).where('user_id', '=', buyer.id).execute()
    await known()
    await expect(payer('secret')).rejects.toThrow('微信还没有确认付款人')
    expect(await payer(null)).toBe('oPayer')
    await of(own.appId)
    expect(await payer('secret')).toBe('oPayer')
    await of('wxanother0000001')
    await expect(payer('secret')).rejects.toThrow('微信还没有确认付款人')
    await expect(payer(null)).rejects.toThrow('本站未开通微信内支付')
  })

  test('the payment window opens with a valid signature, and the order is paid', async () => {
    await known()
    const order = await buyer.order()
    const { data } = await jsapi(order, phone)
    const { appId, timeStamp, nonceStr, package: packed, paySign } = data
    const lines = [appId, timeStamp, nonceStr, packed].map((line) => `${line}\n`).join('')
    expect(verify('RSA-SHA256', Buffer.from(lines), shop.standIn.keys.merchant.publicKey, Buffer.from(paySign, 'base64'))).toBe(true)
    const trade = shop.standIn.find(packed)!
    expect(trade).toMatchObject({ type: 'JSAPI', openid: 'oPayer', total: 2_900 })
    shop.standIn.pay(trade.otn)
    await expect.poll(() => buyer.status(order)).toBe(6)
  })

  test('another payment method is opened after the first is closed', async () => {
    await known()
    const order = await buyer.order()
    const scanned = await buyer.scan(order)
    expect((await jsapi(order, phone)).code).toBe(0)
    expect(shop.standIn.book.get(scanned)!.state).toBe('CLOSED')
    expect(shop.standIn.pay(scanned)).toBe(false)
    expect((await rowsOf('payment_attempt', order)).map(({ type, state }) => [type, state])).toEqual([
      ['NATIVE', 'CLOSED'],
      ['JSAPI', 'OPEN'],
    ])
    // The close is not clear: the other way waits (31006).
    shop.standIn.troubles.push('busy')
    expect(await native(order)).toMatchObject({ status: 409, code: 31006 })
  })
})

describe('an order', () => {
  test('is returned again for a repeated request while five minutes of it are left', async () => {
    const [one, two] = await Promise.all([buyer.order(), buyer.order()])
    expect(two).toBe(one)
    await shop.later(11 * 60)
    expect(await buyer.order()).not.toBe(one)
    expect(await buyer.show(one)).toMatchObject({ status: 5, closed_by: 'timeout' })
  })

  test('is replaced by one at the new price, also while it is being paid', async () => {
    const plan = await insertPlan(shop.database.db)
    const old = await buyer.order(plan)
    const otn = await buyer.scan(old)
    await shop.database.db.updateTable('vip_plan').set({ price_fen: 3_900 }).where('id', '=', plan).execute()
    expect(await buyer.show(await buyer.order(plan))).toMatchObject({ amount_fen: 3_900 })
    expect(await buyer.status(old)).toBe(5)
    expect(shop.standIn.pay(otn)).toBe(false)
  })

  test('of a plan that is missing or not on sale is rejected (31001)', async () => {
    const plan = await insertPlan(shop.database.db)
    await shop.database.db.updateTable('vip_plan').set({ on_sale: false }).where('id', '=', plan).execute()
    for (const id of [plan, buyer.id]) {
      expect(await buyer.ask('POST', '/v1/vip/subscription/order', { plan_id: id })).toMatchObject({ status: 404, code: 31001 })
    }
  })

  test('is rejected beyond five open ones (31002)', async () => {
    for (let i = 0; i < 5; i++) await buyer.order(await insertPlan(shop.database.db))
    expect(await buyer.ask('POST', '/v1/vip/subscription/order', { plan_id: shop.month })).toMatchObject({ status: 409, code: 31002 })
    const pending = await buyer.ask<{ list_items: Order[] }>('GET', '/v1/order/pending/orders')
    expect(pending.data.list_items).toHaveLength(5)
    expect((await buyer.ask<{ total: number }>('GET', '/v1/order/list?limit=2')).data).toMatchObject({ total: 5, list_items: [{}, {}] })
  })

  test('can be cancelled, repeatedly, and then not be paid (31003)', async () => {
    const order = await buyer.order()
    const otn = await buyer.scan(order)
    expect((await cancel(order)).data).toEqual({ status: 5 })
    expect((await cancel(order)).data).toEqual({ status: 5 })
    expect(shop.standIn.pay(otn)).toBe(false)
    expect(await native(order)).toMatchObject({ status: 409, code: 31003 })
  })

  test('that is paid cannot be cancelled (31011) or paid again (31004), even before its notification', async () => {
    shop.standIn.courier = () => 'lose'
    const order = await buyer.order()
    shop.standIn.pay(await buyer.scan(order))
    expect(await cancel(order)).toMatchObject({ status: 409, code: 31011 })
    expect(await buyer.status(order)).toBe(6)
    expect(await native(order)).toMatchObject({ status: 409, code: 31004 })
  })

  test('that has expired cannot be paid (31005), and the worker closes it', async () => {
    const order = await buyer.order()
    await shop.later(14.5 * 60)
    expect(await native(order)).toMatchObject({ status: 409, code: 31005 })
    await shop.later(60)
    await shop.work()
    expect(await buyer.show(order)).toMatchObject({ status: 5, closed_by: 'timeout', expire_in: 0 })
    expect(await native(order)).toMatchObject({ status: 409, code: 31005 })
  })

  test('that expires while it is being paid is queried at WeChat, and a payment counts', async () => {
    shop.standIn.courier = () => 'lose'
    const [paid, unpaid] = [await buyer.order(), await buyer.order(await insertPlan(shop.database.db))]
    shop.standIn.pay(await buyer.scan(paid))
    const otn = await buyer.scan(unpaid)
    await shop.later(16 * 60)
    await shop.work()
    await shop.later(3)
    await shop.work()
    expect([await buyer.status(paid), await buyer.status(unpaid)]).toEqual([6, 5])
    expect(shop.standIn.pay(otn)).toBe(false)
  })

  test('abandoned by its payer can be paid again with a new trade number', async () => {
    const order = await buyer.order()
    const first = await buyer.scan(order)
    expect((await leave(order)).data).toEqual({ status: 3 })
    expect((await leave(order)).data).toEqual({ status: 3 })
    const second = await buyer.scan(order)
    expect(second).not.toBe(first)
    shop.standIn.pay(second)
    await expect.poll(() => buyer.status(order)).toBe(6)
  })

  test('without a clear answer stays in status 1, rejects the next attempt (31006), and is closed by the worker', async () => {
    const order = await buyer.order()
    await buyer.scan(order)
    shop.standIn.troubles.push('busy')
    expect((await leave(order)).data).toEqual({ status: 1 })
    expect(await native(order)).toMatchObject({ status: 409, code: 31006 })
    await shop.later(6)
    await shop.work()
    expect(await buyer.status(order)).toBe(3)
  })
})

describe('automatic refunds', () => {
  test('a payment after the order was closed is refunded, once', async () => {
    const order = await buyer.order()
    const otn = await buyer.scan(order)
    await cancel(order)
    // As if WeChat had taken the money all the same.
    shop.standIn.payLate(otn)
    await expect.poll(() => refundsOf(order)).toHaveLength(1)
    await shop.work()
    await expect.poll(async () => (await buyer.show(order)).refund_status).toBe('SUCCESS')
    expect(await buyer.show(order)).toMatchObject({ status: 5, refund_fen: 2_900 })
    expect([...shop.standIn.refunds.values()].filter((one) => one.otn === otn)).toMatchObject([{ amount: 2_900, state: 'SUCCESS' }])
    expect(await buyer.days()).toBe(0)
  })

  test('of two payments one grants the days, the other is refunded', async () => {
    const order = await buyer.order()
    const first = await buyer.scan(order)
    await leave(order)
    const second = await buyer.scan(order)
    shop.standIn.payLate(first)
    shop.standIn.pay(second)
    await expect.poll(() => rowsOf('payment', order)).toHaveLength(2)
    await shop.work()
    await expect.poll(async () => (await buyer.show(order)).refund_status).toBe('SUCCESS')
    expect(await buyer.status(order)).toBe(6)
    expect(await buyer.days()).toBeCloseTo(30, 2)
    expect((await refundsOf(order)).map(({ reason }) => reason)).toEqual(['DUPLICATE'])
  })

  test('a payment refunded at WeChat before it was known frees the order and is reported to an operator', async () => {
    shop.standIn.courier = () => 'lose'
    const [order, other] = [await buyer.order(), await buyer.order(await insertPlan(shop.database.db))]
    const otns = [await buyer.scan(order), await buyer.scan(other)]
    for (const otn of otns) {
      shop.standIn.pay(otn)
      shop.standIn.book.get(otn)!.state = 'REFUND'
    }
    await shop.later(6)
    await shop.work()
    expect(await buyer.status(order)).toBe(3)
    expect((await cancel(other)).data).toEqual({ status: expect.toBeOneOf([3, 5]) })
    const odd = await shop.database.db.selectFrom('payment_anomaly').select('what').where('otn', 'in', otns).execute()
    expect(odd).toEqual([{ what: 'given back elsewhere' }, { what: 'given back elsewhere' }])
    expect(await buyer.days()).toBe(0)
    // It may be paid once more, by another number.
    const again = await buyer.scan(order)
    expect(otns).not.toContain(again)
  })

  test('a refund that WeChat closes or cannot make is reported to an operator, who can restart a closed one', async () => {
    const orders: string[] = []
    for (const state of ['CLOSED', 'ABNORMAL'] as const) {
      const order = await buyer.order(await insertPlan(shop.database.db))
      orders.push(order)
      const otn = await buyer.scan(order)
      await cancel(order)
      shop.standIn.book.get(otn)!.state = 'NOTPAY'
      shop.standIn.pay(otn)
      await expect.poll(() => refundsOf(order)).toHaveLength(1)
      shop.standIn.courier = () => 'lose'
      await shop.work()
      const refund = [...shop.standIn.refunds.values()].find((one) => one.otn === otn)!
      refund.state = state
      await shop.later(61)
      await shop.work()
      expect(await refundsOf(order)).toMatchObject([{ state }])
      const odd = await shop.database.db.selectFrom('payment_anomaly').select('what').where('otn', '=', otn).execute()
      expect(odd).toEqual([{ what: state === 'CLOSED' ? 'refund closed' : 'refund stuck' }])
      if (state === 'CLOSED') shop.standIn.refunds.delete(refund.outRefundNo)
      shop.standIn.courier = () => 'send'
    }
    const again = (order: string) => refundOrder(shop.database.db, order, { amountFen: null, keepDays: false })
    expect(await again(orders[0]!)).toMatchObject({ is: 'begun', amountFen: 2_900, revokes: false })
    expect(await again(orders[1]!)).toEqual({ is: 'not paid' })
    await shop.work()
    await expect.poll(async () => (await buyer.show(orders[0]!)).refund_status).toBe('SUCCESS')
    expect((await buyer.show(orders[1]!)).refund_status).toBe('ABNORMAL')
  })

  test('a refund whose answers are lost is requested again with the same number and made once', async () => {
    const order = await buyer.order()
    const otn = await buyer.scan(order)
    await cancel(order)
    shop.standIn.payLate(otn)
    await expect.poll(() => refundsOf(order)).toHaveLength(1)
    shop.standIn.courier = () => 'lose'
    for (const trouble of ['hang up', 'busy', 'done, then hang up', 'unsigned'] as const) {
      shop.standIn.troubles.push(trouble)
      await shop.later(90_000)
      await shop.work()
    }
    await shop.later(90_000)
    await shop.work()
    expect([...shop.standIn.refunds.values()].filter((one) => one.otn === otn)).toHaveLength(1)
    expect(await refundsOf(order)).toMatchObject([{ state: 'SUCCESS' }])
  })
})

describe('failures of WeChat while a payment is opened', () => {
  const cases: [string, Shop['standIn']['troubles'][number], number, number][] = [
    ['is busy', 'busy', 31007, 1],
    ['limits us', 'limited', 31007, 1],
    ['hangs up', 'hang up', 31007, 1],
    ['did it and hangs up', 'done, then hang up', 31007, 1],
    ['answers unsigned', 'unsigned', 31007, 1],
    ['answers signed by another', 'signed by another', 31007, 1],
    ['is answered by somebody between us', 'changed', 31007, 1],
    ['sends a page', 'page', 31007, 1],
    ['refuses the merchant', { status: 403, code: 'NO_AUTH' }, 31009, 2],
    ['refuses the parameters', { status: 400, code: 'PARAM_ERROR' }, 31009, 2],
    ['refuses the account', { status: 400, code: 'MCH_NOT_EXISTS' }, 31009, 2],
    ['forbids by a rule', { status: 403, code: 'RULE_LIMIT' }, 31009, 2],
    ['finds the openid foreign', { status: 400, code: 'OPENID_MISMATCH' }, 31009, 2],
    ['knows the number', { status: 403, code: 'OUT_TRADE_NO_USED' }, 31007, 1],
  ]
  test.each(cases)('%s: the order says so and can be paid afterwards', async (_name, trouble, code, status) => {
    const order = await buyer.order()
    shop.standIn.troubles.push(trouble)
    expect((await native(order)).code).toBe(code)
    expect(await buyer.status(order)).toBe(status)
    // The same number again while its fate is open, a new one where it has failed.
    shop.standIn.pay(await buyer.scan(order))
    await expect.poll(() => buyer.status(order)).toBe(6)
    expect(await rowsOf('payment_attempt', order)).toHaveLength(status)
  })

  test('an order unknown at WeChat: after ten seconds the attempt has failed', async () => {
    const order = await buyer.order()
    shop.standIn.troubles.push('hang up')
    await native(order)
    await shop.later(12)
    await shop.work()
    expect(await buyer.status(order)).toBe(2)
    expect((await cancel(order)).data).toEqual({ status: 5 })
  })

  test('WeChat does not answer: the client still gets its answer', async () => {
    const order = await buyer.order()
    shop.standIn.troubles.push('silence')
    expect(await native(order)).toMatchObject({ status: 503, code: 31007 })
  })
})
