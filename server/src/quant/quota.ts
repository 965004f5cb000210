import { type Kysely, sql } from 'kysely'
import { computeItem } from '../compute/ledger.ts'
import type { Database } from '../db/tables.ts'
import { Failure, failureOf } from '../http/fail.ts'
import type { Tier } from '../queue/jobs.ts'
import { vipNow } from '../user/vip.ts'
import { limitReached } from '../vip/benefits.ts'
import { type Limits, limits, planOf, tierOf } from './limits.ts'
import { shanghaiDay } from './run-state.ts'

/** @throws Failure 21002 once today's work of the user took all the processor time of their plan */
export async function needComputeTime(db: Kysely<Database>, userId: string): Promise<void> {
  const row = await db
    .selectFrom('app_user as u')
    .leftJoin('quota_use as q', (join) =>
      join.onRef('q.user_id', '=', 'u.id').on('q.day', '=', shanghaiDay()).on('q.item', '=', computeItem),
    )
    .select([vipNow('u').as('vip_level'), 'u.is_demo', 'q.used'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
  if (!row) return
  const tier = tierOf(row)
  const most = limits[tier].computeSeconds
  if ((row.used ?? 0) < most * 1_000) return
  throw await usedUp(db, tier, 'compute')
}

/** What is counted by day (Asia/Shanghai). */
export type Item = keyof Limits['daily']

/** @returns the day that it was taken from, `YYYY-MM-DD` @throws Failure 21002 */
export async function takeUse(db: Kysely<Database>, userId: string, item: Item, tier: Tier): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    insert into quota_use (user_id, day, item, used) values (${userId}, ${shanghaiDay()}, ${item}, 1)
    on conflict (user_id, day, item) do update set used = quota_use.used + 1 where quota_use.used < ${limits[tier].daily[item]}
    returning day`.execute(db)
  const [taken] = rows
  if (!taken) throw await usedUp(db, tier, item)
  return taken.day
}

/** The refusal of a limit of the day, with the time until the next one begins. */
async function usedUp(db: Kysely<Database>, tier: Tier, key: Item | 'compute'): Promise<Failure> {
  const tomorrow = sql`(${shanghaiDay()} + 1)::timestamp at time zone 'Asia/Shanghai'`
  const { rows } = await sql<{ wait: number }>`select ceil(extract(epoch from ${tomorrow} - now()))::int as wait`.execute(db)
  const { code, message } = limitReached(tier, key)
  return new Failure(code, message, { retryAfterSeconds: rows[0]?.wait ?? 1 })
}

/** Counts a use of today; what fails by our fault or is not begun is given back, what its asker leaves is not. */
export async function counted<T>(db: Kysely<Database>, userId: string, item: Item, work: () => Promise<T>): Promise<T> {
  const day = await takeUse(db, userId, item, await planOf(db, userId))
  try {
    return await work()
  } catch (error) {
    if (failureOf(error).code !== 23024) await giveBack(db, userId, item, day)
    throw error
  }
}

async function giveBack(db: Kysely<Database>, userId: string, item: Item, day: string): Promise<void> {
  await db
    .updateTable('quota_use')
    .set({ used: sql<number>`used - 1` })
    .where('user_id', '=', userId)
    .where('item', '=', item)
    .where('day', '=', day)
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
