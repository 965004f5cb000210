import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ApiError, toApiError } from '../base/api-error.ts'
import { shanghaiDay } from '../base/time.ts'
import { deleteOld } from '../db/delete-old.ts'
import type { Database } from '../db/tables.ts'
import type { Tier } from '../queue/jobs.ts'
import { vipNow } from '../user/vip.ts'
import { limitReached } from './benefits.ts'
import { computeItem } from './ledger.ts'
import { guestShares, type Limits, limits, planOf, tierOf } from './limits.ts'

/**
 * Whether somebody's work may still take processor time today.
 * @returns of a guest the address that they share the machine by, else null
 * @throws ApiError 21002 once today's work of the user, or of the guests that they share it with, took all the time of their plan
 */
export async function needComputeTime(db: Kysely<Database>, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('app_user as u')
    .leftJoin('quota_use as q', (join) =>
      join.onRef('q.user_id', '=', 'u.id').on('q.day', '=', shanghaiDay()).on('q.item', '=', computeItem),
    )
    .select([vipNow('u').as('vip_level'), 'u.is_demo', 'u.guest_source', 'q.used'])
    .where('u.id', '=', userId)
    .executeTakeFirst()
  if (!row) return null
  const tier = tierOf(row)
  const most = limits[tier].computeSeconds * 1_000
  if ((row.used ?? 0) >= most) throw await usedUp(db, tier, 'compute', row.is_demo)
  if (!row.is_demo) return null
  const { rows } = await sql<{ full: boolean }>`select ${guestsAreFull(userId, computeItem, most)} as full`.execute(db)
  if (rows[0]?.full) throw await usedUp(db, tier, 'compute', true)
  return row.guest_source ?? userId
}

/**
 * Whether the guests of the user's address, or all of them, have used up their share of today; false for a user who is no guest. Guests who
 * ask at the same moment may pass it by one each: it keeps a crowd small, each one's own count is exact.
 */
const guestsAreFull = (userId: string, item: string, most: number): RawBuilder<boolean> => sql`exists (
  select from app_user me join app_user g on g.is_demo join quota_use q on q.user_id = g.id
  where me.id = ${userId} and me.is_demo and q.day = ${shanghaiDay()} and q.item = ${item}
  having coalesce(sum(q.used) filter (where g.guest_source = me.guest_source), 0) >= ${most * guestShares.ofAddress}::bigint
    or coalesce(sum(q.used), 0) >= ${most * guestShares.inAll}::bigint)`

/** What is counted by day (Asia/Shanghai). */
export type Item = keyof Limits['daily']

/** @returns the day that it was taken from, `YYYY-MM-DD` @throws ApiError 21002 */
export async function takeUse(db: Kysely<Database>, userId: string, item: Item, tier: Tier): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    insert into quota_use (user_id, day, item, used)
    select ${userId}, ${shanghaiDay()}, ${item}, 1 where not ${guestsAreFull(userId, item, limits[tier].daily[item])}
    on conflict (user_id, day, item) do update set used = quota_use.used + 1 where quota_use.used < ${limits[tier].daily[item]}
    returning day`.execute(db)
  const [taken] = rows
  if (!taken) throw await usedUp(db, tier, item, await isGuest(db, userId))
  return taken.day
}

const guestsUsedUp = '体验账号今日的额度已用完，请注册自己的账号继续使用'

async function isGuest(db: Kysely<Database>, userId: string): Promise<boolean> {
  const found = await db.selectFrom('app_user').select('is_demo').where('id', '=', userId).executeTakeFirst()
  return found?.is_demo ?? false
}

/** Check grids of a day: they count on no plan's quota, so nobody is kept from opening a report. */
const mostChecks = 60

/** Counts a check grid, as `counted` does. @throws ApiError 21002 */
export async function countedCheck<T>(db: Kysely<Database>, userId: string, work: () => Promise<T>): Promise<T> {
  const day = await takeCheck(db, userId)
  return refundedOnError(db, userId, 'checks', day, work)
}

async function takeCheck(db: Kysely<Database>, userId: string): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    insert into quota_use (user_id, day, item, used) values (${userId}, ${shanghaiDay()}, 'checks', 1)
    on conflict (user_id, day, item) do update set used = quota_use.used + 1 where quota_use.used < ${mostChecks}
    returning to_char(day, 'YYYY-MM-DD') as day`.execute(db)
  const [row] = rows
  if (!row) throw new ApiError(errorCodes.dailyLimit, `今天已补查 ${mostChecks} 次，次日零点恢复`)
  return row.day
}

/** The refusal of a limit of the day, with the time until the next one begins. */
async function usedUp(db: Kysely<Database>, tier: Tier, key: Item | 'compute', ofGuest = false): Promise<ApiError> {
  const tomorrow = sql`(${shanghaiDay()} + 1)::timestamp at time zone 'Asia/Shanghai'`
  const { rows } = await sql<{ wait: number }>`select ceil(extract(epoch from ${tomorrow} - now()))::int as wait`.execute(db)
  const { code, message } = ofGuest ? new ApiError(errorCodes.dailyLimit, guestsUsedUp) : limitReached(tier, key)
  return new ApiError(code, message, { retryAfterSeconds: rows[0]?.wait ?? 1 })
}

/** Counts a use of today. One that ends in an error is given back, except when its user left or replaced it (23024). */
export async function counted<T>(db: Kysely<Database>, userId: string, item: Item, work: () => Promise<T>): Promise<T> {
  const day = await takeUse(db, userId, item, await planOf(db, userId))
  return refundedOnError(db, userId, item, day, work)
}

async function refundedOnError<T>(
  db: Kysely<Database>,
  userId: string,
  item: Item | 'checks',
  day: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (toApiError(error).code !== errorCodes.cancelled) await refundUse(db, userId, item, day)
    throw error
  }
}

async function refundUse(db: Kysely<Database>, userId: string, item: Item | 'checks', day: string): Promise<void> {
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

const keptDays = 90

/** What was used before then concerns no limit. @returns how many rows went */
export const sweepUses = (db: Kysely<Database>): Promise<number> =>
  deleteOld((atOnce) =>
    sql`delete from quota_use where ctid = any(array(
      select ctid from quota_use where day < ${shanghaiDay()} - ${keptDays}::int limit ${atOnce}))`.execute(db),
  )
