import { orderStatus } from '@convexa/contract/enums/order-status'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { WechatPaySettings } from '../config/config.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { MoneySource, RefundReason } from '../db/tables/orders.ts'
import type { Database } from '../db/tables.ts'
import { move } from '../order/move.ts'
import { grantDays } from '../user/subscription.ts'
import { noteAnomaly, type PaymentAnomaly } from './anomalies.ts'
import { newRefundNo } from './numbers.ts'
import type { PaymentReceipt } from './trade.ts'

/** What became of money: days were given; it was known already; it goes back; it fits nothing of ours and an operator must look. */
export type Settled = 'granted' | 'known' | 'refunded' | 'anomaly'

/**
 * The one place where a payment takes effect, by whatever way it was reported. In one transaction: 1 the order is locked, 2 what was paid is what was
 * ordered, 3 the payment is written, once, 4 an open order gets its days, an ended one gives the money back. Only when this has returned
 * may WeChat's notice be acknowledged. Idempotent: called again with the same payment it changes nothing.
 */
export async function settle(
  db: Kysely<Database>,
  merchant: Pick<WechatPaySettings, 'appId' | 'mchId'>,
  money: PaymentReceipt,
  source: MoneySource,
): Promise<Settled> {
  if (await isKnown(db, merchant, money)) return 'known'
  return inTransaction(db, async (tx) => {
    const attempt = await tx.selectFrom('payment_attempt').select(['otn', 'order_id']).where('otn', '=', money.otn).executeTakeFirst()
    if (!attempt) return anomaly(tx, 'unknown order', money)
    // Order, attempt, payment, user: everybody locks in this order.
    const order = await tx.selectFrom('vip_order').selectAll().where('id', '=', attempt.order_id).forUpdate().executeTakeFirstOrThrow()
    await tx.selectFrom('payment_attempt').select('otn').where('order_id', '=', order.id).forUpdate().execute()
    const wrong = differences(money, { appId: merchant.appId, mchId: merchant.mchId, totalFen: order.amount_fen, currency: 'CNY' })
    if (wrong.length > 0) return anomaly(tx, 'mismatch', money, { wrong, ordered_fen: order.amount_fen, order_id: order.id })

    const { status } = order
    const paidAlready = status === orderStatus.finished || status === orderStatus.payFinished
    const user = await tx.selectFrom('app_user').select('id').where('id', '=', order.user_id).forUpdate().executeTakeFirst()
    const reason: RefundReason | null = paidAlready ? 'DUPLICATE' : status === orderStatus.quit || !user ? 'LATE' : null
    const written = await tx
      .insertInto('payment')
      .values({
        transaction_id: money.transactionId,
        otn: money.otn,
        order_id: order.id,
        total_fen: money.totalFen,
        payer_total_fen: money.payerTotalFen,
        paid_at: money.paidAt,
        source,
        effect: reason ? 'REFUND' : 'GRANT',
      })
      .onConflict((conflict) => conflict.column('transaction_id').doNothing())
      .returning('transaction_id')
      .executeTakeFirst()
    if (!written) return knownAlready(tx, money)

    await tx.updateTable('payment_attempt').set({ state: 'PAID', next_query_at: null }).where('otn', '=', money.otn).execute()
    if (reason) {
      await refundPayment(tx, money, reason)
      // The account is deleted: its order is closed too, by its user, whether its time is over or not.
      if (!user && !paidAlready && status !== orderStatus.quit) {
        await move(tx, order, orderStatus.quit, source, { closed_by: 'user' })
        await closeOthers(tx, order.id, money.otn)
      }
      return 'refunded'
    }
    await move(tx, order, orderStatus.payFinished, source, { paid_at: money.paidAt })
    await grantDays(tx, order.user_id, { days: order.days, orderId: order.id })
    await move(tx, { id: order.id, status: orderStatus.payFinished }, orderStatus.finished, source)
    await closeOthers(tx, order.id, money.otn)
    return 'granted'
  })
}

/** The payment was written before, together with all its effects: a repeated report needs no lock, however often and at once it comes. */
async function isKnown(db: Kysely<Database>, { appId, mchId }: Parameters<typeof settle>[1], money: PaymentReceipt): Promise<boolean> {
  const before = await db
    .selectFrom('payment')
    .select(['otn', 'total_fen'])
    .where('transaction_id', '=', money.transactionId)
    .executeTakeFirst()
  return before?.otn === money.otn && differences(money, { appId, mchId, totalFen: before.total_fen, currency: 'CNY' }).length === 0
}

/** `totalFen` is what was ordered; what the payer gave of it may be less, by a coupon that WeChat pays for. */
function differences(money: PaymentReceipt, expected: Pick<PaymentReceipt, 'appId' | 'mchId' | 'totalFen' | 'currency'>): string[] {
  const keys = ['appId', 'mchId', 'totalFen', 'currency'] as const
  return keys.filter((key) => money[key] !== expected[key])
}

/** The same payment under another order number would be an error at WeChat or a forgery. */
async function knownAlready(tx: Transaction<Database>, money: PaymentReceipt): Promise<Settled> {
  const sameTransaction = await tx
    .selectFrom('payment')
    .select('otn')
    .where('transaction_id', '=', money.transactionId)
    .executeTakeFirstOrThrow()
  return sameTransaction.otn === money.otn
    ? 'known'
    : anomaly(tx, 'transaction of another order', money, { first_otn: sameTransaction.otn })
}

/** Refunds a payment in full: writes the row, from which a worker makes the refund. */
const refundPayment = (tx: Transaction<Database>, money: PaymentReceipt, reason: RefundReason) =>
  tx
    .insertInto('refund')
    .values({
      out_refund_no: newRefundNo(),
      transaction_id: money.transactionId,
      amount_fen: money.totalFen,
      reason,
      next_try_at: sql<Date>`now()`,
    })
    .execute()

/** Closes the other open attempts of an order that is paid. */
const closeOthers = (tx: Transaction<Database>, orderId: string, otn: string) =>
  tx
    .updateTable('payment_attempt')
    .set({ state: 'CLOSING', closing: 'paid', next_query_at: sql<Date>`now()`, query_count: 0 })
    .where('order_id', '=', orderId)
    .where('otn', '<>', otn)
    .where('state', 'in', ['INIT', 'OPEN', 'CLOSING', 'UNKNOWN'])
    .execute()

async function anomaly(
  tx: Transaction<Database>,
  what: PaymentAnomaly,
  money: PaymentReceipt,
  detail: Record<string, unknown> = {},
): Promise<'anomaly'> {
  await noteAnomaly(tx, what, money, { ...money, ...detail })
  return 'anomaly'
}
