import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../db/in-transaction.ts'
import type { RefundState } from '../db/tables/orders.ts'
import type { Database } from '../db/tables.ts'
import { revokeDays } from '../user/subscription.ts'
import { noteAnomaly } from './anomalies.ts'
import type { PaymentDeps } from './payment-deps.ts'
import type { RefundStatusNotice } from './trade.ts'

/** Seconds after which a refund under way is asked about again; the last one stays. */
const ladder = [60, 300, 1_800, 7_200, 86_400]
const words = { LATE: '订单已关闭', DUPLICATE: '重复支付', OPERATOR: '客服退款' } as const
const over: readonly RefundState[] = ['SUCCESS', 'CLOSED']

/**
 * Asks WeChat for a refund, with the number that the row has from its first moment, until WeChat has taken it; then how far it is.
 * Asked any number of times the money goes back once.
 */
export async function driveRefund({ db, pay, log }: PaymentDeps, outRefundNo: string): Promise<void> {
  const row = await db
    .selectFrom('refund as r')
    .innerJoin('payment as p', 'p.transaction_id', 'r.transaction_id')
    .select(['r.state', 'r.amount_fen', 'r.transaction_id', 'r.reason', 'p.total_fen'])
    // The caller has counted this try.
    .select(({ fn, lit }) => fn<number>('greatest', ['r.tries', lit(1)]).as('tries'))
    .where('r.out_refund_no', '=', outRefundNo)
    .executeTakeFirstOrThrow()
  if (over.includes(row.state)) return
  const answer =
    row.state === 'REQUESTED'
      ? await pay.refund({
          outRefundNo,
          transactionId: row.transaction_id,
          amountFen: row.amount_fen,
          totalFen: row.total_fen,
          reason: words[row.reason],
        })
      : await pay.queryRefund(outRefundNo)
  if (answer.is === 'done' && answer.value.outRefundNo === outRefundNo) {
    await applyRefundStatus(db, answer.value)
  } else if (answer.is === 'refused') {
    // Balance too low, or a rule of WeChat's: tried again, for the money is owed; an operator sees the line.
    log('refund refused', { code: answer.code, reason: row.reason })
  }
  await db
    .updateTable('refund')
    .set({ next_try_at: sql<Date>`now() + make_interval(secs => ${ladder[Math.min(row.tries, ladder.length) - 1]!})` })
    .where('out_refund_no', '=', outRefundNo)
    .where('state', 'not in', [...over])
    .execute()
}

/**
 * What WeChat says of a refund, by answer or by notice. With the money the days of its order go back where that was asked.
 * @returns false for a refund that is none of ours, or of another amount
 */
export function applyRefundStatus(db: Kysely<Database>, notice: RefundStatusNotice): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const found = await tx
      .selectFrom('refund as r')
      .innerJoin('payment as p', 'p.transaction_id', 'r.transaction_id')
      .select(['p.order_id', 'p.otn', 'p.transaction_id as transactionId'])
      .where('r.out_refund_no', '=', notice.outRefundNo)
      .executeTakeFirst()
    if (!found) return false
    const order = await tx
      .selectFrom('vip_order')
      .select(['id', 'user_id'])
      .where('id', '=', found.order_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const refund = await tx
      .selectFrom('refund')
      .select(['state', 'amount_fen', 'revokes'])
      .where('out_refund_no', '=', notice.outRefundNo)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (notice.amountFen !== null && notice.amountFen !== refund.amount_fen) return false
    if (over.includes(refund.state) || refund.state === notice.state) return true
    const done = over.includes(notice.state)
    await tx
      .updateTable('refund')
      .set({ state: notice.state, ...(done && { next_try_at: null, done_at: sql<Date>`now()` }) })
      .where('out_refund_no', '=', notice.outRefundNo)
      .execute()
    // The money is still owed, and asking again with this number moves it no more: a person must.
    const stuck = notice.state === 'CLOSED' ? 'refund closed' : notice.state === 'ABNORMAL' ? 'refund stuck' : null
    if (stuck) await noteAnomaly(tx, stuck, found, { out_refund_no: notice.outRefundNo, amount_fen: refund.amount_fen })
    if (notice.state === 'SUCCESS' && refund.revokes) {
      await tx.selectFrom('app_user').select('id').where('id', '=', order.user_id).forUpdate().execute()
      await revokeDays(tx, order.user_id, order.id)
    }
    return true
  })
}
