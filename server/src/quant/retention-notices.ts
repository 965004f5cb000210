import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { SecretSettings } from '../base/secret.ts'
import { shanghaiDate } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { queueMessage } from '../message/queue.ts'
import { lapsed } from '../usage/limits.ts'
import { contactsOf } from '../user/contacts.ts'
import { beyondPlan, inTurn, type Retained } from './retention.ts'

interface Teller extends Pick<AppContext, 'queue'> {
  readonly db: Kysely<Database>
  readonly config: SecretSettings
}

/** A mail is tried for so long. */
const patienceSeconds = 86_400

/**
 * Tells the lapsed members of a turn until when runs beyond a free plan are kept: once 30 and once 7 days before, by mail, else by SMS; only
 * those who have such runs. A process that ends in it leaves nobody told twice.
 * @returns how many notices were sent
 */
export async function tellLapsed(context: Teller, turn: Retained['turn'], at: RawBuilder<Date> = sql<Date>`now()`): Promise<number> {
  const { db } = context
  const end = sql`(u.vip_until + make_interval(days => ${sql.lit(lapsed.days)}))`
  let told = 0
  // The nearer one first: a process that was away for a month tells the shorter time alone.
  for (const before of lapsed.noticeDays.toSorted((a, b) => a - b)) {
    const { rows } = await sql<{ id: string; lapsed_at: Date; until: Date }>`
      select u.id, u.vip_until as lapsed_at, ${end} as until from app_user u
      where ${inTurn('u', turn)} and u.vip_level > 0 and u.disabled_at is null and u.deletion_at is null
        and ${end} > ${at} and ${end} - make_interval(days => ${sql.lit(before)}) <= ${at}
        and not exists (select from retention_notice n where n.user_id = u.id and n.lapsed_at = u.vip_until and n.days_before <= ${before})
        and exists (${beyondPlan('free', sql.ref('u.id'), sql<Date>`${end}`)})`.execute(db)
    for (const { id, lapsed_at, until } of rows) if (await tell(context, id, lapsed_at, before, shanghaiDate(until))) told++
  }
  return told
}

async function tell(context: Teller, userId: string, lapsedAt: Date, before: number, date: string): Promise<boolean> {
  const { email, mobile } = await contactsOf(context, userId)
  return context.db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows: noted } = await tx
      .insertInto('retention_notice')
      .values({ user_id: userId, lapsed_at: lapsedAt, days_before: before })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    const to = email ?? mobile
    // The history page says it too, to whom no message reaches.
    if (!noted || !to) return false
    const channel = to.kind === 'mobile' ? 'sms' : 'email'
    await queueMessage(context, tx, { to: to.text, channel, purpose: 'runs_kept_until', code: null, seconds: patienceSeconds, date })
    return true
  })
}
