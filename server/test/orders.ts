import type { Kysely } from 'kysely'
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
