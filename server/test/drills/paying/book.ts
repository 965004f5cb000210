import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isDatabaseAway } from '../../../src/base/api-error.ts'
import type { Database } from '../../../src/db/tables.ts'
import { placeGrants } from '../../../src/user/subscription.ts'
import type { PayStandIn } from '../../stand-ins/pay-stand-in.ts'

/** What was acknowledged: a 200 said so to the client. */
export interface Acknowledged {
  readonly users: Set<string>
  readonly strategies: Set<string>
  readonly orders: Set<string>
  readonly finished: Set<string>
  readonly cancelled: Set<string>
}

export interface Sums {
  readonly paid: number
  readonly granted: number
  readonly refunded: number
  readonly wrongDays: number
}

/** Asked again while the database is away. */
export async function steadily<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      await sleep(50)
    }
  }
}

/** What comes to its end at all does so within seconds of the last. */
const mostStandstillMs = 120_000

/**
 * Lets time pass until the worker knows of all money and every order has come to its end. No notices are sent any more.
 * @returns how many orders, attempts and refunds stand still instead
 */
export async function comeToTheEnd(db: Kysely<Database>, { book }: PayStandIn): Promise<number> {
  let [least, since] = [Number.POSITIVE_INFINITY, performance.now()]
  for (;;) {
    const left = await dueNow(db, book)
    if (left === 0) return 0
    if (left < least) [least, since] = [left, performance.now()]
    if (performance.now() - since > mostStandstillMs) return left
    // Time for the worker to ask what is due.
    await sleep(1_000)
  }
}

/** What is due later is due now; what is never due again stays so, and is lost. */
async function dueNow(db: Kysely<Database>, book: PayStandIn['book']): Promise<number> {
  await sql`update vip_order set expires_at = least(expires_at, now()) where status in (0, 1, 2, 3)`.execute(db)
  await sql`update refund set next_try_at = now() where next_try_at > now()`.execute(db)
  const heard = await db.selectFrom('payment').select('otn').execute()
  const known = new Set(heard.map(({ otn }) => otn))
  const unheard = [...book.values()].flatMap(({ otn, transactionId }) => (transactionId && !known.has(otn) ? [otn] : []))
  await sql`update payment_attempt set next_query_at = now()
    where next_query_at > now() and (state in ('INIT', 'OPEN', 'CLOSING', 'UNKNOWN') or otn = any(${unheard}))`.execute(db)
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from vip_order where status not in (5, 6))
      + (select count(*) from payment_attempt where state in ('INIT', 'OPEN', 'CLOSING', 'UNKNOWN'))
      + (select count(*) from payment_attempt where otn = any(${unheard}) and next_query_at is not null)
      + (select count(*) from refund where state not in ('SUCCESS', 'CLOSED')) as left`.execute(db)
  return Number(rows[0]!.left)
}

/** The book of the stand-in, and what was acknowledged, beside our rows. What does not fit goes into `lost`. */
export async function compare(db: Kysely<Database>, standIn: PayStandIn, acked: Acknowledged, lost: string[]): Promise<Sums> {
  const orders = new Map((await db.selectFrom('vip_order').selectAll().execute()).map((row) => [row.id, row]))
  for (const id of acked.orders) if (!orders.has(id)) lost.push(`an order that was acknowledged: ${id}`)
  for (const id of acked.finished) if (orders.get(id)?.status !== 6) lost.push(`an order that was said to be finished: ${id}`)
  for (const id of acked.cancelled) if (orders.get(id)?.status !== 5) lost.push(`an order that was said to be closed: ${id}`)
  const strategies = new Set((await db.selectFrom('strategy').select('id').execute()).map(({ id }) => id))
  for (const id of acked.strategies) if (!strategies.has(id)) lost.push(`a strategy that was saved: ${id}`)

  const payments = new Map((await db.selectFrom('payment').selectAll().execute()).map((row) => [row.transaction_id, row]))
  const attempts = await db.selectFrom('payment_attempt').select(['otn', 'order_id']).execute()
  const orderOf = new Map(attempts.map(({ otn, order_id }) => [otn, order_id]))
  const back = new Map<string, number>()
  for (const { otn, amount } of standIn.refunds.values()) back.set(otn, (back.get(otn) ?? 0) + amount)
  const sums = { paid: 0, granted: 0, refunded: 0, wrongDays: 0 }
  /** By the book alone: orders whose money was kept. */
  const kept = new Map<string, number>()
  for (const { otn, transactionId, total } of standIn.book.values()) {
    if (!transactionId) continue
    sums.paid++
    const payment = payments.get(transactionId)
    const returned = back.get(otn) ?? 0
    if (returned === 0) kept.set(orderOf.get(otn) ?? otn, (kept.get(orderOf.get(otn) ?? otn) ?? 0) + 1)
    if (!payment) lost.push(`money: ${otn}`)
    else if (returned !== (payment.effect === 'REFUND' ? total : 0)) lost.push(`${otn}: ${payment.effect} and ${returned} fen back`)
    else sums[payment.effect === 'GRANT' ? 'granted' : 'refunded']++
  }
  if (payments.size !== sums.paid) lost.push(`${payments.size} payments known, ${sums.paid} made`)
  const odd = await db.selectFrom('payment_anomaly').select(['what', 'otn']).execute()
  for (const { what, otn } of odd) lost.push(`${what}: ${otn}`)

  const owed = new Map<string, number>()
  for (const [id, times] of kept) {
    const order = orders.get(id)
    if (!order || times > 1) lost.push(`${times} payments kept for ${id}`)
    else owed.set(order.user_id, (owed.get(order.user_id) ?? 0) + order.days)
  }
  const grants = await db.selectFrom('subscription_grant').selectAll().orderBy('granted_at').orderBy('id').execute()
  const users = await db
    .selectFrom('app_user')
    .select(['id', 'vip_until'])
    .where('id', 'in', [...acked.users, ''].filter(Boolean))
    .execute()
  const byUser = new Map<string, typeof grants>()
  for (const one of grants) byUser.set(one.user_id, [...(byUser.get(one.user_id) ?? []), one])
  for (const { id, vip_until } of users) {
    const own = byUser.get(id) ?? []
    const given = own.map((one) => ({ id: one.id, days: one.days, grantedAt: one.granted_at.getTime(), revokedAt: null }))
    const days = own.reduce((sum, one) => sum + one.days, 0)
    const end = placeGrants(given).at(-1)?.endsAt ?? null
    if (days !== (owed.get(id) ?? 0) || (vip_until?.getTime() ?? null) !== end) {
      sums.wrongDays++
      lost.push(`days of user ${id}: ${days} given, ${owed.get(id) ?? 0} paid`)
    }
  }
  return sums
}
