import { z } from 'zod'

/** A payment as WeChat tells it, by notice and by query. Amounts in fen: `total` is the order's, `payer_total` less where a coupon was used. */
export const Trade = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR', 'ACCEPT']),
  transaction_id: z.string().min(1).max(64).optional(),
  success_time: z.string().optional(),
  amount: z.object({ total: z.int(), payer_total: z.int().optional(), currency: z.string().optional() }).optional(),
})
export type Trade = z.output<typeof Trade>

/** Receipt of a payment, before it takes effect. */
export interface PaymentReceipt {
  readonly appId: string
  readonly mchId: string
  readonly otn: string
  readonly transactionId: string
  readonly totalFen: number
  readonly payerTotalFen: number
  readonly currency: string
  readonly paidAt: Date
}

/** The receipt of a trade; null: by what it says no money was received. */
export function receiptOf({ appid, mchid, out_trade_no, trade_state, transaction_id, success_time, amount }: Trade): PaymentReceipt | null {
  const paidAt = new Date(success_time ?? Number.NaN)
  if (trade_state !== 'SUCCESS' || !transaction_id || !amount || Number.isNaN(paidAt.getTime())) return null
  return {
    appId: appid,
    mchId: mchid,
    otn: out_trade_no,
    transactionId: transaction_id,
    totalFen: amount.total,
    payerTotalFen: amount.payer_total ?? amount.total,
    currency: amount.currency ?? 'CNY',
    paidAt,
  }
}

/** A refund as WeChat tells it: a notice says `refund_status`, an answer `status`. */
export const RefundStatusNotice = z
  .object({
    out_refund_no: z.string(),
    status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']).optional(),
    refund_status: z.enum(['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL']).optional(),
    amount: z.object({ refund: z.int() }).optional(),
  })
  .transform(({ out_refund_no, status, refund_status, amount }) => ({
    outRefundNo: out_refund_no,
    state: status ?? refund_status ?? ('PROCESSING' as const),
    amountFen: amount?.refund ?? null,
  }))
export type RefundStatusNotice = z.output<typeof RefundStatusNotice>
