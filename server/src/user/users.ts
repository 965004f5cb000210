import type { User } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { fail } from '../http/fail.ts'
import { shanghaiTime } from '../time.ts'
import { vipNow } from './vip.ts'

/** Accounts are compared without case and surrounding space; full-width letters count as plain ones. */
export const accountOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** The profile as its owner sees it, in this session. */
export async function profileOf(db: Kysely<Database>, userId: string, sessionId?: string): Promise<User> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'account', 'nickname', vipNow('app_user').as('vip_level'), 'vip_until', 'prefs', 'deletion_at', 'created_at'])
    .select((from) =>
      from
        .selectFrom('session')
        .select('re_auth_until')
        .where('session.id', '=', sessionId ?? null)
        .where('re_auth_until', '>', sql<Date>`now()`)
        .as('re_auth_until'),
    )
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) fail(40100)
  const mail = row.account.includes('@')
  return {
    user_id: row.id,
    nickname: row.nickname,
    avatar_url: null,
    mobile_masked: mail ? null : masked(row.account, 3, 4),
    email_masked: mail ? maskedMail(row.account) : null,
    email_activated: mail,
    wechat_bound: false,
    vip: {
      plan_name: row.vip_level > 0 ? 'VIP' : null,
      expire_at: row.vip_level > 0 && row.vip_until ? shanghaiTime(row.vip_until) : null,
      level: row.vip_level,
    },
    created_at: shanghaiTime(row.created_at),
    ...(row.deletion_at && { deletion_at: shanghaiTime(row.deletion_at) }),
    ...(row.re_auth_until && { re_auth_until: shanghaiTime(row.re_auth_until) }),
    ...(Object.keys(row.prefs).length > 0 && { prefs: row.prefs }),
  }
}

const masked = (text: string, head: number, tail: number): string =>
  `${text.slice(0, head)}****${text.slice(Math.max(head, text.length - tail))}`

const maskedMail = (mail: string): string => {
  const at = mail.lastIndexOf('@')
  return `${mail.slice(0, Math.min(2, at))}***${mail.slice(at)}`
}
