// What somebody has who has bought, hesitated and been late, made through the API and the stand-in for WeChat Pay.

import { setTimeout as sleep } from 'node:timers/promises'
import { calls } from '@convexa/contract/calls'
import { orderStatus } from '@convexa/contract/enums/order-status'
import type { Order } from '@convexa/contract/order'
import type { Asking } from './asking.ts'
import { payAtStandIn } from './wechat-phone.ts'

/** Ids of orders by what became of them. */
export interface Ordered {
  paid: string
  /** Nobody paid it in its time. */
  expired: string
  /** Its money came after its end, and went back. */
  late: string
}

export const nothingOrdered: Ordered = { paid: '', expired: '', late: '' }

/** @param age lets the buyer's orders grow older by seconds */
export async function payDesk(ask: Asking, payUrl: string, age: (seconds: number) => Promise<void>): Promise<Ordered> {
  const [month] = await ask(calls.vip.plans, {})
  if (!month) throw new Error('nothing is on sale')
  const order = async () => (await ask(calls.vip.subscribe, { body: { plan_id: month.plan_id } })).order_id
  const codeOf = async (id: string) => (await ask(calls.payment.nativeProcess, { body: { order_id: id } })).code_url
  const until = async (id: string, is: (order: Order) => boolean) => {
    for (let tries = 0; tries < 300; tries++) {
      if (is(await ask(calls.order.detail, { params: { id } }))) return
      await sleep(200)
    }
    throw new Error(`nothing becomes of order ${id}`)
  }
  const expire = async (id: string) => {
    await age(16 * 60)
    await until(id, ({ status }) => status === orderStatus.quit)
  }
  const late = await order()
  const lateCode = await codeOf(late)
  await expire(late)
  await payAtStandIn(payUrl, lateCode)
  await until(late, ({ refund_status }) => refund_status === 'SUCCESS')
  const expired = await order()
  await codeOf(expired)
  await expire(expired)
  const paid = await order()
  await payAtStandIn(payUrl, await codeOf(paid))
  await until(paid, ({ status }) => status === orderStatus.finished)
  return { paid, expired, late }
}
