import type { WechatCredential } from '@convexa/contract'
import type { Kysely, Transaction } from 'kysely'
import { v7 as uuid } from 'uuid'
import { sealFor, unsealFor } from '../base/secret.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { nameOf } from './names.ts'
import { secretUses, wechatIndexes } from './sealed-columns.ts'
import type { WechatIdentity } from './wechat-api.ts'

const use = secretUses.wechatIdentity

interface UserDeps {
  readonly db: Kysely<Database>
  readonly config: Config
}

/** The account that this WeChat opens, by unionid first; undefined where there is none. */
export async function ownerOf({ db, config }: UserDeps, identity: WechatIdentity) {
  const { openid, unionid } = wechatIndexes(config, identity)
  return db
    .selectFrom('wechat_credential as w')
    .innerJoin('app_user as u', 'u.id', 'w.user_id')
    .select(['u.id', 'u.is_demo', 'u.disabled_at', 'w.id as credentialId', 'w.unionid_index'])
    .where((row) => row.or([row('w.unionid_index', 'in', unionid ?? [null]), row('w.openid_index', 'in', openid)]))
    .orderBy(
      (row) => row('w.unionid_index', 'in', unionid ?? [null]),
      (order) => order.desc().nullsLast(),
    )
    .limit(1)
    .executeTakeFirst()
}

export async function hasCredential(db: Kysely<Database>, userId: string): Promise<boolean> {
  return (await db.selectFrom('wechat_credential').select('id').where('user_id', '=', userId).executeTakeFirst()) !== undefined
}

/**
 * Gives a user this WeChat, in place of the one they had. Of two accounts that take the same WeChat at once one gets it.
 * @returns false when it is another account's; the transaction can go on
 */
export async function giveCredential(
  transaction: Transaction<Database>,
  config: Config,
  userId: string,
  identity: WechatIdentity,
): Promise<boolean> {
  await transaction.deleteFrom('wechat_credential').where('user_id', '=', userId).execute()
  const { openid, unionid } = indexesOf(config, identity)
  // While the key is changed another's row may be under the other key, where the unique index does not see it.
  if (await ownerOf({ db: transaction, config }, identity)) return false
  const given = await transaction
    .insertInto('wechat_credential')
    .values({
      id: uuid(),
      user_id: userId,
      sealed: sealFor(config, use, JSON.stringify({ openid: identity.openid, unionid: identity.unionid })),
      openid_index: openid,
      unionid_index: unionid,
      app_id: config.wechat?.appId ?? null,
      nickname: shownName(identity.nickname),
      avatar_url: identity.avatarUrl,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return given !== undefined
}

/**
 * Brings what is known of a WeChat up to date after a scan that found its account: a unionid comes once an application joins an open-platform
 * account, an openid changes with the application. What belongs to another account is left and logged.
 */
export async function refreshCredential(
  { db, config }: UserDeps,
  { credentialId, id: userId }: { readonly credentialId: string; readonly id: string },
  identity: WechatIdentity,
  log: (event: string, details: Record<string, unknown>) => void,
): Promise<void> {
  const indexes = indexesOf(config, identity)
  const own = await db
    .selectFrom('wechat_credential')
    .select(['sealed', 'openid_index', 'unionid_index', 'app_id'])
    .where('id', '=', credentialId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!own) return
  const others = await db
    .selectFrom('wechat_credential')
    .select(['openid_index', 'unionid_index'])
    .where('id', '<>', credentialId)
    .where((row) => row.or([row('unionid_index', '=', indexes.unionid), row('openid_index', '=', indexes.openid)]))
    .execute()
  const isTaken = (index: Buffer | null) =>
    index !== null && others.some(({ openid_index, unionid_index }) => openid_index.equals(index) || unionid_index?.equals(index))
  const taken = { openid: isTaken(indexes.openid), unionid: isTaken(indexes.unionid) }
  if (taken.openid || taken.unionid) log('WeChat known at two accounts', { user: userId, ...taken })
  const kept = JSON.parse(unsealFor(config, use, own.sealed) ?? 'null') as Pick<WechatIdentity, 'openid' | 'unionid'> | null
  const openid = taken.openid && kept ? kept.openid : identity.openid
  const unionid = identity.unionid === null || taken.unionid ? (kept?.unionid ?? null) : identity.unionid
  const next = {
    openid_index: taken.openid ? own.openid_index : indexes.openid,
    unionid_index: indexes.unionid === null || taken.unionid ? own.unionid_index : indexes.unionid,
    app_id: taken.openid ? own.app_id : (config.wechat?.appId ?? null),
  }
  if (next.openid_index.equals(own.openid_index) && sameIndex(next.unionid_index, own.unionid_index) && next.app_id === own.app_id) return
  await db
    .updateTable('wechat_credential')
    .set({ ...next, sealed: sealFor(config, use, JSON.stringify({ openid, unionid })) })
    .where('id', '=', credentialId)
    .where('user_id', '=', userId)
    .execute()
}

const sameIndex = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b))

export async function listCredentials({ db, config }: UserDeps, userId: string): Promise<WechatCredential[]> {
  const rows = await db.selectFrom('wechat_credential').selectAll().where('user_id', '=', userId).orderBy('bound_at').execute()
  return rows.map(({ id, sealed, nickname, avatar_url, bound_at }) => {
    const { openid, unionid } = JSON.parse(unsealFor(config, use, sealed) ?? '{"openid":"","unionid":null}') as WechatIdentity
    return {
      id,
      wx_openid: masked(openid),
      wx_unionid: unionid === null ? null : masked(unionid),
      nickname,
      avatar_url,
      bound_at: shanghaiTime(bound_at),
    }
  })
}

/** @returns false when there is none of this id and user */
export async function removeCredential(db: Kysely<Database>, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('wechat_credential').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** What somebody calls themselves on WeChat may hold anything. */
function shownName(nickname: string): string {
  try {
    return nameOf([...nickname].slice(0, 50).join(''))
  } catch {
    return '微信用户'
  }
}

const indexesOf = (config: Config, identity: WechatIdentity) => {
  const found = wechatIndexes(config, identity)
  return { openid: found.openid[0], unionid: found.unionid?.[0] ?? null }
}

const masked = (id: string): string => `${id.slice(0, 4)}****${id.slice(-4)}`
