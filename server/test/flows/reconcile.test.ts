import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { shanghaiDate } from '../../src/base/time.ts'
import { refundOrder, unusedOf } from '../../src/payment/administration.ts'
import { dueDays, reconcile, reconcileDue } from '../../src/payment/reconcile.ts'
import { convexa } from '../fixtures/command-line.ts'
import { insertPlan } from '../fixtures/orders.ts'
import { type Buyer, openShop, type Shop } from '../fixtures/shop.ts'

// The bill of a day beside our own rows, and what operators do with money.

let shop: Shop
let buyer: Buyer
const shops: Shop[] = []

/** A shop of its own for each: a bill is of all that happened. */
beforeEach(async () => {
  shop = await openShop()
  shops.push(shop)
  buyer = await shop.buyer()
})
afterAll(async () => {
  for (const one of shops) await one.close()
})

const today = () => shanghaiDate(new Date())
const bought = async (plan = shop.month) => {
  const order = await buyer.order(plan)
  const otn = await buyer.scan(order)
  shop.standIn.pay(otn)
  await expect.poll(() => buyer.status(order)).toBe(6)
  return { order, otn }
}
const anomalies = async () =>
  (await shop.database.db.selectFrom('payment_anomaly').select('what').orderBy('id').execute()).map(({ what }) => what)

describe('a bill', () => {
  test('that agrees with our rows changes nothing, also repeatedly', async () => {
    await bought()
    for (let i = 0; i < 2; i++)
      expect(await reconcile(shop.deps, today())).toEqual({ day: today(), payments: 1, refunds: 0, found: 0, unexplained: 0 })
    expect(await buyer.days()).toBeCloseTo(30, 2)
  })

  test('with a payment without notification grants its days or refunds it', async () => {
    shop.standIn.courier = () => 'lose'
    const [open, over] = [await buyer.order(), await buyer.order(await insertPlan(shop.database.db))]
    const late = await buyer.scan(over)
    shop.standIn.pay(await buyer.scan(open))
    await buyer.ask('DELETE', `/v1/order/${over}`)
    shop.standIn.book.get(late)!.state = 'NOTPAY'
    shop.standIn.pay(late)
    expect(await reconcile(shop.deps, today())).toMatchObject({ payments: 2, found: 2, unexplained: 0 })
    expect([await buyer.status(open), await buyer.status(over)]).toEqual([6, 5])
    await shop.work()
    expect((await buyer.show(over)).refund_fen).toBe(2_900)
  })

  test('with a mismatch in either direction records an anomaly for an operator', async () => {
    const [gone, cheap] = [await bought(), await bought(await insertPlan(shop.database.db))]
    shop.standIn.book.delete(gone.otn)
    const trade = shop.standIn.book.get(cheap.otn)!
    shop.standIn.book.set(cheap.otn, { ...trade, total: 1, transactionId: 'another' })
    shop.standIn.refunds.set('RNOTOURS', { outRefundNo: 'RNOTOURS', otn: cheap.otn, amount: 1, at: Date.now(), state: 'SUCCESS' })
    expect(await reconcile(shop.deps, today())).toMatchObject({ found: 0, unexplained: 4 })
    expect(await anomalies()).toEqual(['mismatch', 'refund unknown to us', 'payment not on the bill', 'payment not on the bill'])
    expect(await buyer.days()).toBeCloseTo(60, 2)
  })

  test('that is unavailable or altered is compared later', async () => {
    await bought()
    for (const trouble of ['busy', 'unsigned', 'changed', 'hang up'] as const) {
      shop.standIn.troubles.push(trouble)
      expect(await reconcile(shop.deps, today()), trouble).toBeNull()
    }
    expect(await shop.database.db.selectFrom('payment_bill').selectAll().execute()).toEqual([])
    // A day without a bill is a day without money.
    expect(await reconcile(shop.deps, '2024-02-29')).toMatchObject({ payments: 0, unexplained: 0 })
  })

  test('is read compressed and plain, and compared later when broken', async () => {
    await bought()
    const seen: (number | null)[] = []
    for (const way of [
      (file: Buffer) => file,
      (file: Buffer) => gunzipSync(file),
      (file: Buffer) => file.subarray(0, file.length / 2),
      (file: Buffer) => gzipSync(gunzipSync(file).toString().replace('29.00', '92.00')),
      (file: Buffer) => gzipSync(Buffer.alloc(33 * 1024 * 1024 + file.length)),
    ]) {
      shop.standIn.billFile = way
      seen.push((await reconcile(shop.deps, today()))?.payments ?? null)
    }
    expect(seen).toEqual([1, 1, null, null, null])
    expect(await anomalies()).toEqual([])
  })

  test('is read with commas and quotes in the product name', async () => {
    const plan = await insertPlan(shop.database.db, { name: '年度会员,送"一个月",限时`' })
    await bought(plan)
    expect(await reconcile(shop.deps, today())).toMatchObject({ payments: 1, unexplained: 0 })
  })

  test('is the last one when the reader has to stop', async () => {
    await bought()
    await sql`update payment_attempt set created_at = now() - interval '5 days'`.execute(shop.database.db)
    const stop = new AbortController()
    const { pay } = shop.deps
    const bill: typeof pay.bill = (day) => {
      stop.abort()
      return pay.bill(day)
    }
    const [first, ...others] = await dueDays(shop.database.db)
    expect(await reconcileDue({ ...shop.deps, pay: { ...pay, bill } }, stop.signal)).toMatchObject([{ day: first }])
    expect(await dueDays(shop.database.db)).toEqual(others)
  })

  test('that cannot be read does not delay other days', async () => {
    shop.standIn.courier = () => 'lose'
    const order = await buyer.order()
    const otn = await buyer.scan(order)
    shop.standIn.pay(otn)
    const trade = shop.standIn.book.get(otn)!
    const ago = (days: number) => Date.now() - days * 86_400_000
    trade.paidAt = ago(3)
    shop.standIn.book.set('VBROKEN', { ...trade, otn: 'VBROKEN', transactionId: 'broken', total: -1, paidAt: ago(4) })
    await sql`update payment_attempt set created_at = now() - interval '5 days'`.execute(shop.database.db)
    const compared = await reconcileDue(shop.deps)
    expect(compared.find(({ found }) => found === 1)?.day).toBe(shanghaiDate(new Date(ago(3))))
    expect(compared.map(({ day }) => day)).not.toContain(shanghaiDate(new Date(ago(4))))
    expect(await buyer.status(order)).toBe(6)
    expect(shop.logged.join()).toContain('a bill that is not read')
  })

  test('is due once for each day since the first order', async () => {
    await bought()
    await sql`update payment_attempt set created_at = now() - interval '3 days'`.execute(shop.database.db)
    const due = await reconcileDue(shop.deps)
    expect(due.length).toBeGreaterThanOrEqual(2)
    expect(due.every(({ day }) => day < today())).toBe(true)
    expect(await reconcileDue(shop.deps)).toEqual([])
  })
})

describe('a refund by an operator', () => {
  const refund = (order: string, amountFen: number | null, given: { keepDays?: boolean; by?: string } = {}) =>
    refundOrder(shop.database.db, order, { amountFen, keepDays: false, ...given })

  test('in part keeps the days, of the rest revokes them, and never exceeds the payment', async () => {
    const { order } = await bought()
    const next = await bought(await insertPlan(shop.database.db))
    expect(await unusedOf(shop.database.db, order)).toMatchObject({ days: 29, fen: 2_803 })
    expect(await refund(order, 900)).toMatchObject({ is: 'begun', revokes: false })
    await shop.work()
    expect(await buyer.days()).toBeCloseTo(60, 2)
    expect(await refund(order, 2_001)).toEqual({ is: 'too much' })
    expect(await refund(order, null)).toMatchObject({ is: 'begun', amountFen: 2_000, revokes: true })
    await shop.work()
    await expect.poll(() => buyer.days()).toBeCloseTo(30, 2)
    expect(await buyer.show(order)).toMatchObject({ status: 6, refund_fen: 2_900, refund_status: 'SUCCESS' })
    expect((await buyer.show(order)).ends_at).toBeUndefined()
    // What was bought behind it moves up.
    expect(Date.parse((await buyer.show(next.order)).starts_at!)).toBeLessThan(Date.now() + 1_000)
    expect(await refund(order, null)).toEqual({ is: 'too much' })
  })

  test('above 500 yuan needs a second operator', async () => {
    const { order } = await bought(await insertPlan(shop.database.db, { price_fen: 60_000, days: 365 }))
    expect(await refund(order, null, { by: 'anna@desk' })).toEqual({ is: 'second needed', amountFen: 60_000 })
    expect(await refund(order, null, { by: 'anna@desk' })).toEqual({ is: 'second needed', amountFen: 60_000 })
    expect(await refund(order, null, { by: 'bert@desk', keepDays: true })).toEqual({ is: 'second needed', amountFen: 60_000 })
    expect(await refund(order, null, { by: 'bert@desk' })).toMatchObject({ is: 'begun' })
  })

  test('in parts above 500 yuan together needs a second operator as well', async () => {
    const { order } = await bought(await insertPlan(shop.database.db, { price_fen: 90_000, days: 365 }))
    expect(await refund(order, 40_000, { by: 'anna@desk' })).toMatchObject({ is: 'begun' })
    expect(await refund(order, 40_000, { by: 'anna@desk' })).toEqual({ is: 'second needed', amountFen: 40_000 })
    expect(await refund(order, 40_000, { by: 'bert@desk' })).toMatchObject({ is: 'begun' })
  })

  test('of an unpaid order is rejected', async () => {
    expect(await refund(await buyer.order(), null)).toEqual({ is: 'not paid' })
    expect(await refund(buyer.id, null)).toEqual({ is: 'no order' })
  })
})

test('the command line creates, shows and refunds a plan, each with an audit row', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-money-'))
  const env = { DATABASE_URL: shop.database.url, DATA_DIR: dataDir, SECRET_KEY: shop.context.config.secretKey! }
  const made = await convexa(env, 'plans', 'add', '季度会员', '--days', '90', '--price', '79.90', '--recommended')
  expect(made).toMatchObject({ exit: 0, err: '' })
  const plan = /[0-9a-f-]{36}/.exec(made.out)![0]
  const { order } = await bought(plan)
  expect(await convexa(env, 'plans', 'add', '便宜', '--days', '1', '--price', '0.001')).toMatchObject({ exit: 2, out: '' })
  expect((await convexa(env, 'plans', 'off', plan)).exit).toBe(0)
  expect((await convexa(env, 'orders', 'show', order)).out).toMatch(/季度会员，90 天，79\.90 元[\s\S]*已完成[\s\S]*SUCCESS|GRANT/)
  expect(await convexa(env, 'refund', order, '--amount', '80', '--yes')).toMatchObject({ exit: 3, err: '超过了尚未退还的金额\n' })
  expect((await convexa(env, 'refund', order, '--yes')).out).toMatch(/^已登记退款 79\.90 元/)
  await shop.work()
  await expect.poll(() => buyer.days()).toBeCloseTo(0, 1)
  expect(await convexa(env, 'reconcile')).toMatchObject({ exit: 3, err: '没有配置微信支付，无账可对\n' })
  const { url, mchId, appId, serial, privateKey, v3Key, publicKey, notifyUrl } = shop.standIn.settings()
  const sells = {
    ...env,
    ...{ WECHAT_PAY_URL: url, WECHAT_PAY_MCH_ID: mchId, WECHAT_PAY_APP_ID: appId, WECHAT_PAY_SERIAL: serial, WECHAT_PAY_V3_KEY: v3Key },
    ...{ WECHAT_PAY_PRIVATE_KEY: join(dataDir, 'merchant.pem'), WECHAT_PAY_PUBLIC_KEY: join(dataDir, 'wechat.pem') },
    ...{ WECHAT_PAY_PUBLIC_KEY_ID: publicKey!.id, WECHAT_PAY_NOTIFY_URL: notifyUrl },
  }
  writeFileSync(join(dataDir, 'merchant.pem'), privateKey)
  writeFileSync(join(dataDir, 'wechat.pem'), publicKey!.pem)
  await sql`update payment_attempt set created_at = created_at - interval '3 days'`.execute(shop.database.db)
  shop.standIn.troubles.push(...Array<'busy'>(9).fill('busy'))
  expect(await convexa(sells, 'reconcile', today())).toMatchObject({ exit: 3, err: `${today()} 的账单次日十点后才完整，请那时再对账\n` })
  expect(await convexa(sells, 'reconcile', '2026-02-30')).toMatchObject({ exit: 2 })
  expect((await convexa(sells, 'reconcile')).out).toMatch(/^没有取到或无法读取账单的日子：[\d、-]+，稍后会自动再试\n$/)
  shop.standIn.troubles.length = 0
  const odd = { what: 'mismatch', otn: 'V1', transaction_id: '4200', detail: '{}' }
  const { id } = await shop.database.db.insertInto('payment_anomaly').values(odd).returning('id').executeTakeFirstOrThrow()
  expect((await convexa(env, 'anomalies', 'list')).out).toMatch(/款项与订单不符\s+V1\s+4200/)
  expect(await convexa(env, 'anomalies', 'resolve', String(id))).toMatchObject({ exit: 2, out: '' })
  expect(await convexa(env, 'anomalies', 'resolve', '999999999', '--note', '无')).toMatchObject({ exit: 3, err: '没有异常 999999999\n' })
  for (const said of ['已标为处理完毕', '先前已处理完毕']) {
    expect((await convexa(env, 'anomalies', 'resolve', String(id), '--note', '已人工退款')).out).toBe(`异常 ${id} ${said}\n`)
  }
  expect((await convexa(env, 'anomalies', 'list')).out).toBe('没有待处理的异常\n')
  const acts = await shop.database.db.selectFrom('audit').select('action').orderBy('id').execute()
  expect(acts.map(({ action }) => action)).toEqual(['plan.add', 'plan.change', 'refund.begin', 'anomaly.resolve'])
  rmSync(dataDir, { recursive: true, force: true })
}, 180_000)
