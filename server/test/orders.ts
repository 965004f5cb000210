import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../src/db/tables.ts'

/** A plan on sale: 30 days for 29 yuan unless said otherwise. */
export async function insertPlan(db: Kysely<Database>, over: Partial<{ name: string; days: number; price_fen: number }> = {}) {
  const id = uuid()
  await db
    .insertInto('vip_plan')
    .values({ id, name: '月度会员', days: 30, price_fen: 2_900, ...over })
    .execute()
  return id
}

/** An order of it that waits to be paid. */
export async function insertOrder(db: Kysely<Database>, userId: string, planId: string): Promise<string> {
  const id = uuid()
  const plan = await db.selectFrom('vip_plan').selectAll().where('id', '=', planId).executeTakeFirstOrThrow()
  await db
    .insertInto('vip_order')
    .values({
      id,
      user_id: userId,
      plan_id: planId,
      plan_name: plan.name,
      days: plan.days,
      amount_fen: plan.price_fen,
      expires_at: new Date(Date.now() + 900_000),
    })
    .execute()
  return id
}

/** As if so much time had passed for everything that stands in rows of orders: of everybody, or of one user. */
export async function letOrdersAge(db: Kysely<Database>, seconds: number, userId: string | null = null): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`
  const mine = sql`(select id from vip_order where ${userId}::uuid is null or user_id = ${userId}::uuid)`
  await db.transaction().execute(async (tx) => {
    // What was ordered cannot be changed; when it was can be for nobody but a test.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update vip_order set expires_at = expires_at - ${by}, created_at = created_at - ${by} where id in ${mine}`.execute(tx)
    await sql`update payment_attempt set next_query_at = next_query_at - ${by}, queried_at = queried_at - ${by}, created_at = created_at - ${by}
      where order_id in ${mine}`.execute(tx)
    await sql`update refund set next_try_at = next_try_at - ${by}
      where transaction_id in (select transaction_id from payment where order_id in ${mine})`.execute(tx)
  })
}
