import type { VipOrderStatus } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { audit, operator } from '../db/audit.ts'
import { inTransaction } from '../db/in-transaction.ts'
import type { Database } from '../db/tables.ts'
import { newRefundNo } from './numbers.ts'

// What operators do with plans, orders and money. Each act and its line in the audit are one transaction.

type PlanRow = Omit<Database['vip_plan'], 'id' | 'created_at' | 'updated_at' | 'recommended' | 'on_sale' | 'place'>
export type PlanTerms = PlanRow & { recommended: boolean; place: number }

export const allPlans = (db: Kysely<Database>) =>
  db.selectFrom('vip_plan').selectAll().orderBy('on_sale', 'desc').orderBy('place').orderBy('days').orderBy('id').execute()

/** @returns its id */
export const addPlan = (db: Kysely<Database>, terms: PlanTerms): Promise<string> =>
  inTransaction(db, async (tx) => {
    const id = uuid()
    await tx
      .insertInto('vip_plan')
      .values({ id, ...terms })
      .execute()
    await audit(tx, { actor: 'operator', action: 'plan.add', after: { id, ...terms } })
    return id
  })

/** Orders that were made keep what they were made of. @returns false: there is no such plan */
export const changePlan = (db: Kysely<Database>, id: string, change: Partial<PlanTerms & { on_sale: boolean }>): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const before = await tx.selectFrom('vip_plan').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!before) return false
    await tx
      .updateTable('vip_plan')
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    const { created_at: _made, updated_at: _changed, ...was } = before
    await audit(tx, { actor: 'operator', action: 'plan.change', before: was, after: { ...was, ...change } })
    return true
  })

export const findOrders = (
  db: Kysely<Database>,
  given: { userId?: string | undefined; status?: VipOrderStatus | undefined; limit: number },
) => {
  let rows = db.selectFrom('vip_order').selectAll()
  if (given.userId !== undefined) rows = rows.where('user_id', '=', given.userId)
  if (given.status !== undefined) rows = rows.where('status', '=', given.status)
  return rows.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(given.limit).execute()
}

/** An order with all that happened to it; null for none. */
export async function wholeOrder(db: Kysely<Database>, id: string) {
  const order = await db.selectFrom('vip_order').selectAll().where('id', '=', id).executeTakeFirst()
  if (!order) return null
  const [events, attempts, payments, refunds, grant] = await Promise.all([
    db.selectFrom('order_event').selectAll().where('order_id', '=', id).orderBy('id').execute(),
    db.selectFrom('payment_attempt').selectAll().where('order_id', '=', id).orderBy('seq').execute(),
    db.selectFrom('payment').selectAll().where('order_id', '=', id).orderBy('created_at').execute(),
    db
      .selectFrom('refund as r')
      .innerJoin('payment as p', 'p.transaction_id', 'r.transaction_id')
      .selectAll('r')
      .where('p.order_id', '=', id)
      .orderBy('r.created_at')
      .execute(),
    db.selectFrom('subscription_grant').selectAll().where('order_id', '=', id).executeTakeFirst(),
  ])
  return { order, events, attempts, payments, refunds, grant: grant ?? null }
}

export const openAnomalies = (db: Kysely<Database>) =>
  db.selectFrom('payment_anomaly').selectAll().where('resolved_at', 'is', null).orderBy('id').execute()

/** An operator has looked at it and done what there was to do; `note` says what. The same money told again opens it no more. */
export const resolveAnomaly = (db: Kysely<Database>, id: number, note: string): Promise<'resolved' | 'resolved before' | 'none'> =>
  inTransaction(db, async (tx) => {
    const found = await tx.selectFrom('payment_anomaly').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!found) return 'none'
    if (found.resolved_at) return 'resolved before'
    await tx.updateTable('payment_anomaly').set({ resolved_at: sql<Date>`now()` }).where('id', '=', id).execute()
    const { what, otn, transaction_id } = found
    await audit(tx, { actor: 'operator', action: 'anomaly.resolve', before: { id, what, otn, transaction_id }, after: { note } })
    return 'resolved'
  })

/** Two operators for more than this of one payment. */
export const oneOperatorLimitFen = 50_000

export type Refunded =
  | { readonly is: 'begun'; readonly outRefundNo: string; readonly amountFen: number; readonly revokes: boolean }
  /** Written down; another operator must say the same within a day. */
  | { readonly is: 'second needed'; readonly amountFen: number }
  | { readonly is: 'no order' | 'not paid' | 'too much' }

/**
 * Gives the money of an order back, whole or in part; a worker drives it. With the whole of it the days are taken back when WeChat has paid,
 * unless they are to be kept.
 * @param amountFen null: all that is left
 */
export const refundOrder = (
  db: Kysely<Database>,
  orderId: string,
  { amountFen, keepDays, by = operator() }: { amountFen: number | null; keepDays: boolean; by?: string },
): Promise<Refunded> =>
  inTransaction(db, async (tx): Promise<Refunded> => {
    const order = await tx.selectFrom('vip_order').selectAll().where('id', '=', orderId).forUpdate().executeTakeFirst()
    if (!order) return { is: 'no order' }
    const payments = await tx.selectFrom('payment').selectAll().where('order_id', '=', orderId).orderBy('created_at').forUpdate().execute()
    const sums = await tx
      .selectFrom('refund')
      .select(['transaction_id', sql<number>`sum(amount_fen)::integer`.as('back')])
      .where('transaction_id', 'in', [...payments.map(({ transaction_id }) => transaction_id), ''])
      .where('state', '<>', 'CLOSED')
      .groupBy('transaction_id')
      .execute()
    const backOf = new Map(sums.map((row) => [row.transaction_id, row.back]))
    // Money that must go back and that WeChat did not take comes before money that may.
    const payment =
      payments.find((one) => one.effect === 'REFUND' && (backOf.get(one.transaction_id) ?? 0) < one.total_fen) ??
      payments.find(({ effect }) => effect === 'GRANT')
    if (!payment) return { is: 'not paid' }
    const back = backOf.get(payment.transaction_id) ?? 0
    const amount = amountFen ?? payment.total_fen - back
    if (amount <= 0 || back + amount > payment.total_fen) return { is: 'too much' }
    const refundRequest = { order_id: orderId, amount_fen: amount, keep_days: keepDays }
    // In parts it is as much as at once.
    if (back + amount > oneOperatorLimitFen && !(await requestedByAnother(tx, refundRequest, by))) {
      await audit(tx, { actor: 'operator', by, action: 'refund.ask', userId: order.user_id, after: refundRequest })
      return { is: 'second needed', amountFen: amount }
    }
    const outRefundNo = newRefundNo()
    const revokes = payment.effect === 'GRANT' && !keepDays && back + amount === payment.total_fen
    await tx
      .insertInto('refund')
      .values({
        out_refund_no: outRefundNo,
        transaction_id: payment.transaction_id,
        amount_fen: amount,
        reason: 'OPERATOR',
        revokes,
        next_try_at: sql<Date>`now()`,
      })
      .execute()
    await audit(tx, {
      actor: 'operator',
      by,
      action: 'refund.begin',
      userId: order.user_id,
      after: { ...refundRequest, out_refund_no: outRefundNo },
    })
    return { is: 'begun', outRefundNo, amountFen: amount, revokes }
  })

/** Somebody else asked for the very same within a day, and it was not begun since. */
async function requestedByAnother(
  db: Kysely<Database>,
  refundRequest: { order_id: string; amount_fen: number; keep_days: boolean },
  by: string,
) {
  const { rows } = await sql`
    select from audit a where a.action = 'refund.ask' and a.after @> ${JSON.stringify(refundRequest)}::jsonb and a.actor <> ${`operator ${by}`}
      and a.at > now() - interval '24 hours'
      and not exists (select from audit b where b.action = 'refund.begin' and b.id > a.id and b.after @> ${JSON.stringify(refundRequest)}::jsonb)`.execute(
    db,
  )
  return rows.length > 0
}

/** Days of an order that are left, and what they cost: what an operator may give back for them. */
export async function unusedOf(db: Kysely<Database>, orderId: string): Promise<{ days: number; fen: number } | null> {
  const { rows } = await sql<{ days: number; fen: number }>`
    select floor(s.left)::integer as days, (o.amount_fen * floor(s.left)::bigint / o.days)::integer as fen
    from vip_order o join subscription_grant g on g.order_id = o.id and g.revoked_at is null
    cross join lateral (select greatest(0, extract(epoch from g.ends_at - greatest(now(), g.starts_at)) / 86400) as left) s
    where o.id = ${orderId}`.execute(db)
  return rows[0] ?? null
}
