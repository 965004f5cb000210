import { sql, type Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Database } from '../db/tables.ts'

/** Days that were given at a moment, and when they were taken back. Milliseconds since 1970. */
export interface Given {
  readonly id: string
  readonly days: number
  readonly grantedAt: number
  readonly revokedAt: number | null
}

export interface Placed {
  readonly id: string
  readonly startsAt: number
  readonly endsAt: number
}

const dayMs = 86_400_000

/**
 * One grant after the other, in the order in which they were given: each begins when the one before ends, or when it was given if that is
 * later, and lasts its days of 24 hours. One that was taken back ends then, and those behind it move up: no day is lost.
 */
export function placeGrants(given: readonly Given[]): Placed[] {
  let end = Number.NEGATIVE_INFINITY
  return given.map(({ id, days, grantedAt, revokedAt }) => {
    const startsAt = Math.max(grantedAt, end)
    const whole = startsAt + days * dayMs
    end = revokedAt === null ? whole : Math.min(whole, Math.max(startsAt, revokedAt))
    return { id, startsAt, endsAt: end }
  })
}

/**
 * Gives days to a user whose row the transaction has locked. A VIP without an end stays without one.
 * @returns the end of the subscription
 */
export async function grantDays(
  tx: Transaction<Database>,
  userId: string,
  { days, orderId }: { days: number; orderId: string | null },
): Promise<Date | null> {
  const { rows } = await sql<{ now: Date }>`select date_trunc('milliseconds', clock_timestamp()) as now`.execute(tx)
  const now = rows[0]!.now
  await tx
    .insertInto('subscription_grant')
    .values({ id: uuid(), user_id: userId, order_id: orderId, days, granted_at: now, starts_at: now, ends_at: now })
    .execute()
  return placeAgain(tx, userId)
}

/** Takes the days of an order back, what is left of them; the user's row is locked. */
export async function revokeDays(tx: Transaction<Database>, userId: string, orderId: string): Promise<void> {
  await tx
    .updateTable('subscription_grant')
    .set({ revoked_at: sql<Date>`date_trunc('milliseconds', clock_timestamp())` })
    .where('order_id', '=', orderId)
    .where('revoked_at', 'is', null)
    .execute()
  await placeAgain(tx, userId)
}

/** Writes where the grants lie now and where they end, which is what the user's row repeats. */
async function placeAgain(tx: Transaction<Database>, userId: string): Promise<Date | null> {
  const rows = await tx
    .selectFrom('subscription_grant')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('granted_at')
    .orderBy('id')
    .execute()
  const placed = placeGrants(
    rows.map((row) => ({
      id: row.id,
      days: row.days,
      grantedAt: row.granted_at.getTime(),
      revokedAt: row.revoked_at?.getTime() ?? null,
    })),
  )
  for (const [i, { id, startsAt, endsAt }] of placed.entries()) {
    const row = rows[i]!
    if (row.starts_at.getTime() === startsAt && row.ends_at.getTime() === endsAt) continue
    await tx
      .updateTable('subscription_grant')
      .set({ starts_at: new Date(startsAt), ends_at: new Date(endsAt) })
      .where('id', '=', id)
      .execute()
  }
  const end = placed.at(-1)
  if (!end) return null
  const user = await tx
    .updateTable('app_user')
    .set({ vip_level: 1, vip_until: new Date(end.endsAt) })
    .where('id', '=', userId)
    .where((row) => row.or([row('vip_level', '=', 0), row('vip_until', 'is not', null)]))
    .returning('vip_until')
    .executeTakeFirst()
  return user?.vip_until ?? null
}
