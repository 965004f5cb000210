import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { orderStatuses } from './enums/order-status.ts'
import { refundStatuses } from './enums/refund-status.ts'
import { valuesOf } from './enums/table.ts'
import { page, pageQuery } from './envelope.ts'
import { Id } from './scalars.ts'

export const VipOrderStatus = z.literal(valuesOf(orderStatuses))
export type VipOrderStatus = z.output<typeof VipOrderStatus>

export const PayType = z.enum(['JSAPI', 'NATIVE'])
export type PayType = z.output<typeof PayType>

/** Money on its way back, back, or stuck so that the operator must look. */
const RefundStatus = z.enum(valuesOf(refundStatuses))

/** A purchase of a plan; name, days and amount are those of the moment at which it was ordered. */
export const Order = z.object({
  order_id: z.string(),
  plan_id: z.string(),
  plan_name: z.string(),
  days: z.int(),
  amount_fen: z.int(),
  status: VipOrderStatus,
  created_at: z.string(),
  expire_at: z.string(),
  /** Seconds until then by the server's clock, which the browser's need not agree with; 0 when it is over. */
  expire_in: z.int(),
  /** Of the newest try to pay; null before the first. */
  pay_type: PayType.nullable(),
  paid_at: z.string().optional(),
  /** WeChat's number of the payment, for a receipt. */
  transaction_id: z.string().optional(),
  /** From when to when the bought days are; left out until they are given, and after they were taken back. */
  starts_at: z.string().optional(),
  ends_at: z.string().optional(),
  /** Left out where no money goes back. `refund_fen`: all that went or goes back. */
  refund_status: RefundStatus.optional(),
  refund_fen: z.int().optional(),
  /** Cause of the end of an unpaid order: cancelled by the user, or its time limit. */
  closed_by: z.enum(['user', 'timeout']).optional(),
})
export type Order = z.output<typeof Order>

const params = z.object({ id: Id })

const calls = callTable.order

export const order = {
  list: endpoint(calls.list, { summary: '全部订单', query: pageQuery, data: page(Order) }),
  pending: endpoint(calls.pending, {
    summary: '未完成的订单',
    data: z.object({ list_items: z.array(Order) }),
  }),
  detail: endpoint(calls.detail, { summary: '订单', params, data: Order }),
  status: endpoint(calls.status, {
    summary: '订单状态',
    params,
    data: z.object({ order_id: z.string(), status: VipOrderStatus }),
  }),
  /** 5, or 1 while WeChat is still being asked. */
  remove: endpoint(calls.remove, {
    summary: '取消订单',
    params,
    data: z.object({ status: VipOrderStatus }),
  }),
}
