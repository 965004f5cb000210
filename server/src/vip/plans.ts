import type { Plan } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { benefits } from '../usage/benefits.ts'

/** What is on sale, in the operator's order. */
export async function listPlans(db: Kysely<Database>): Promise<Plan[]> {
  const rows = await db
    .selectFrom('vip_plan')
    .selectAll()
    .where('on_sale', '=', true)
    .orderBy('place')
    .orderBy('days')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, days, price_fen, origin_price_fen, recommended }) => ({
    plan_id: id,
    plan_name: name,
    days,
    price_fen,
    ...(origin_price_fen !== null && { origin_price_fen }),
    benefits,
    recommended,
  }))
}
