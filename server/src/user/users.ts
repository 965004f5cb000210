import type { User } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { urlOf } from '../file/files.ts'
import { maskedAddress } from './addresses.ts'
import { contactsOf } from './contacts.ts'
import { vipNow } from './vip.ts'

/** The profile as its owner sees it, in this session. */
export async function profileOf(
  { db, config }: { readonly db: Kysely<Database>; readonly config: Config },
  userId: string,
  sessionId?: string,
): Promise<User> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'account', 'nickname', 'is_demo', vipNow('app_user').as('vip_level'), 'vip_until', 'prefs', 'deletion_at', 'created_at'])
    .select((from) =>
      from
        .selectFrom('session')
        .select('re_auth_until')
        .where('session.id', '=', sessionId ?? null)
        .whereRef('session.user_id', '=', 'app_user.id')
        .where('re_auth_until', '>', sql<Date>`now()`)
        .as('re_auth_until'),
    )
    .select(sql<boolean>`password_hash is not null`.as('has_password'))
    .select((from) =>
      from
        .selectFrom('file')
        .select('name')
        .whereRef('file.id', '=', 'avatar_file_id')
        .whereRef('file.user_id', '=', 'app_user.id')
        .as('avatar'),
    )
    .select((from) => from.exists(from.selectFrom('wechat_credential').select('id').where('user_id', '=', userId)).as('wechat_bound'))
    .select((from) =>
      from
        .selectFrom('subscription_grant as g')
        .innerJoin('vip_order as o', 'o.id', 'g.order_id')
        .select('o.plan_name')
        .whereRef('g.user_id', '=', 'app_user.id')
        .where('g.starts_at', '<=', sql<Date>`now()`)
        .where('g.ends_at', '>', sql<Date>`now()`)
        .limit(1)
        .as('plan_name'),
    )
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) throwApiError(errorCodes.loginNeeded)
  const { mobile, email, pendingEmail } = await contactsOf({ db, config }, userId)
  const shownEmail = email ?? pendingEmail
  return {
    user_id: row.id,
    nickname: row.nickname,
    avatar_url: row.avatar === null ? null : urlOf(row.avatar),
    mobile_masked: mobile && maskedAddress(mobile),
    email_masked: shownEmail && maskedAddress(shownEmail),
    email_activated: email !== null,
    has_password: row.has_password,
    wechat_bound: Boolean(row.wechat_bound),
    vip: {
      // The plan whose days run now; days from an operator are of none.
      plan_name: row.vip_level > 0 ? (row.plan_name ?? 'VIP') : null,
      expire_at: row.vip_level > 0 && row.vip_until ? shanghaiTime(row.vip_until) : null,
      level: row.vip_level,
    },
    created_at: shanghaiTime(row.created_at),
    ...(row.deletion_at && { deletion_at: shanghaiTime(row.deletion_at) }),
    ...(row.re_auth_until && { re_auth_until: shanghaiTime(row.re_auth_until) }),
    ...(row.is_demo && { demo: true as const }),
    ...(Object.keys(row.prefs).length > 0 && { prefs: row.prefs }),
  }
}
