import { messageOf } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { Failure, failureOf } from '../http/fail.ts'
import { type Limits, limits, planOf } from './limits.ts'
import { shanghaiDay } from './run-state.ts'

/** What is counted by day (Asia/Shanghai). */
export type Item = keyof Limits['daily']

/** @throws Failure 21002 */
export async function takeUse(db: Kysely<Database>, userId: string, item: Item, most: number): Promise<void> {
  const taken = await sql`
    insert into quota_use (user_id, day, item, used) values (${userId}, ${shanghaiDay()}, ${item}, 1)
    on conflict (user_id, day, item) do update set used = quota_use.used + 1 where quota_use.used < ${most}
    returning used`.execute(db)
  if (taken.rows.length === 0) throw new Failure(21002, `${messageOf(21002)}，次日零点恢复`)
}

/** Counts a use of today; what fails by our fault or is not begun is given back, what its asker leaves is not. */
export async function counted<T>(db: Kysely<Database>, userId: string, item: Item, work: () => Promise<T>): Promise<T> {
  await takeUse(db, userId, item, limits[await planOf(db, userId)].daily[item])
  try {
    return await work()
  } catch (error) {
    if (failureOf(error).code !== 23024) await giveBack(db, userId, item)
    throw error
  }
}

async function giveBack(db: Kysely<Database>, userId: string, item: Item): Promise<void> {
  await db
    .updateTable('quota_use')
    .set({ used: sql<number>`used - 1` })
    .where('user_id', '=', userId)
    .where('item', '=', item)
    .where('day', '=', shanghaiDay())
    .where('used', '>', 0)
    .execute()
}

/** Uses of today, by item. */
export async function usesToday(db: Kysely<Database>, userId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('quota_use')
    .select(['item', 'used'])
    .where('user_id', '=', userId)
    .where('day', '=', shanghaiDay())
    .execute()
  return new Map(rows.map(({ item, used }) => [item, used]))
}
