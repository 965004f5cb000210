import type { RunRetention } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import { shanghaiDate } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { lapsed, limits, retentions, tierOf } from '../usage/limits.ts'
import { vipNow } from '../user/vip.ts'

/** How long a user's runs are kept, and how many favourites they have. */
export async function retentionOf(
  { db, config }: { readonly db: Kysely<Database>; readonly config: Pick<Config, 'retention'> },
  userId: string,
): Promise<RunRetention> {
  const user = await db
    .selectFrom('app_user as u')
    .select([vipNow('u').as('vip_level'), 'u.is_demo'])
    // Of a membership that has ended and is kept in mind.
    .select(
      sql<Date | null>`case when u.vip_level > 0 and u.vip_until <= now() and u.vip_until + make_interval(days => ${lapsed.days}) > now()
        then u.vip_until + make_interval(days => ${lapsed.days}) end`.as('until'),
    )
    .select((from) =>
      from
        .selectFrom('backtest_run as r')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('r.user_id', '=', userId)
        .where('r.favourite', '=', true)
        .as('favourites'),
    )
    .where('u.id', '=', userId)
    .executeTakeFirstOrThrow()
  const tier = tierOf(user)
  const plan = user.is_demo ? 'guest' : tier === 'vip' ? 'vip' : user.until ? 'lapsed' : 'free'
  const { newest, days, questionDays } = retentions[plan === 'lapsed' ? 'vip' : tier]
  return {
    plan,
    reports: config.retention === 'plans' && plan !== 'guest' ? { newest, days, question_days: questionDays } : null,
    until: config.retention === 'plans' && user.until ? shanghaiDate(user.until) : null,
    favourites: Number(user.favourites),
    most_favourites: limits[tier].favourites,
  }
}
