import { calls } from '@convexa/contract/calls'
import { orderStatus } from '@convexa/contract/enums/order-status'
import type { Order } from '@convexa/contract/order'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { yuan } from './order-text.ts'
import { cancelOrder, ordersChanged } from './vip-queries.ts'

/** Gives an order up and says what became of it. @throws CallError */
export async function giveUp(orderId: string): Promise<void> {
  const status = await cancelOrder(orderId)
  if (status === orderStatus.paying) toast.info('正在向微信确认，确认没有付款后订单会自动关闭')
  else toast.done('订单已取消')
}

/** Ends the attempt to pay by a code. A failure is not told: the attempt ends with its order, and another way to pay closes it before. */
export async function leaveCode(orderId: string): Promise<void> {
  await call(calls.payment.nativeClose, { body: { order_id: orderId } }).catch(() => {})
  await ordersChanged()
}

/** Asks before, and says a refusal as well. */
export async function askGiveUp({ order_id, plan_name, amount_fen }: Order): Promise<void> {
  const meant = await confirm({
    title: `取消订单「${plan_name}」？`,
    text: `${yuan(amount_fen)} 的订单会关闭，之后可以重新下单。若刚刚已经付款，款项会原路退回或照常开通。`,
    action: '取消订单',
  })
  if (meant) await giveUp(order_id).catch((error: unknown) => toast.error(sentenceOf(error)))
}
