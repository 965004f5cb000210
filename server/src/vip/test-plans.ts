import type { Kysely } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../db/tables.ts'

/** With test money and no plan yet there are two to try. */
export async function seedTestPlans(db: Kysely<Database>): Promise<void> {
  if (await db.selectFrom('vip_plan').select('id').limit(1).executeTakeFirst()) return
  await db
    .insertInto('vip_plan')
    .values([
      { id: uuid(), name: '月度会员（测试）', days: 30, price_fen: 2_900, place: 1 },
      { id: uuid(), name: '年度会员（测试）', days: 365, price_fen: 29_800, origin_price_fen: 34_800, recommended: true, place: 2 },
    ])
    .execute()
}
