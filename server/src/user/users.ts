import type { User } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { fail } from '../http/fail.ts'
import { shanghaiTime } from '../time.ts'

/** Accounts are compared without case and surrounding space; full-width letters count as plain ones. */
export const accountOf = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** The profile as its owner sees it. */
export async function profileOf(db: Kysely<Database>, userId: string): Promise<User> {
  const row = await db
    .selectFrom('app_user')
    .select(['id', 'account', 'nickname', 'vip_level', 'created_at'])
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
    vip: { plan_name: null, expire_at: null, level: row.vip_level },
    created_at: shanghaiTime(row.created_at),
  }
}

const masked = (text: string, head: number, tail: number): string =>
  `${text.slice(0, head)}****${text.slice(Math.max(head, text.length - tail))}`

const maskedMail = (mail: string): string => {
  const at = mail.lastIndexOf('@')
  return `${mail.slice(0, Math.min(2, at))}***${mail.slice(at)}`
}
