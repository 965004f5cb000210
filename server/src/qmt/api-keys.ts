import { createHash, randomBytes } from 'node:crypto'
import type { ApiKey, ApiKeyScope } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import type { KeyHolder } from '../http/caller.ts'
import { rateLimitError } from '../http/fixed-window.ts'
import { countCall } from '../http/rate-limit.ts'
import { lockUser } from '../quant/run-state.ts'

// A key is 256 bits from the system's random source and is shown once: only its hash is kept, so that a reader of the database opens
// nothing. It reads the user's own targets and reports heartbeats and fills; no other call takes it.

const scopes: ApiKeyScope[] = ['read', 'report']
const oldKeyMinutes = 10
const perMinute = 60

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** null: none was made yet. */
export async function apiKeyOf(db: Kysely<Database>, userId: string): Promise<ApiKey | null> {
  const keys = await db
    .selectFrom('qmt_key')
    .select(['tail', 'created_at', 'expires_at', 'last_used_at', 'last_ip'])
    .where('user_id', '=', userId)
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', sql<Date>`now()`)]))
    .orderBy('created_at', 'desc')
    .execute()
  const newest = keys.find(({ expires_at }) => expires_at === null)
  if (!newest) return null
  const [old] = keys.filter(({ expires_at }) => expires_at !== null)
  return {
    masked: `qmt_****${newest.tail}`,
    created_at: shanghaiTime(newest.created_at),
    last_used_at: newest.last_used_at && shanghaiTime(newest.last_used_at),
    last_ip: newest.last_ip,
    scopes,
    ...(old?.expires_at && { old_until: shanghaiTime(old.expires_at) }),
  }
}

/** Makes a user's key, or a new one: the key before it stays valid for ten minutes, older ones end now. */
export async function makeApiKey(db: Kysely<Database>, userId: string): Promise<{ api_key: string; created_at: string }> {
  const key = `qmt_${randomBytes(32).toString('base64url')}`
  const made = await db.transaction().execute(async (transaction) => {
    await lockUser(transaction, userId)
    await transaction.deleteFrom('qmt_key').where('user_id', '=', userId).where('expires_at', 'is not', null).execute()
    await transaction
      .updateTable('qmt_key')
      .set({ expires_at: sql<Date>`now() + make_interval(mins => ${oldKeyMinutes})` })
      .where('user_id', '=', userId)
      .execute()
    return transaction
      .insertInto('qmt_key')
      .values({ id: uuid(), user_id: userId, key_hash: hashOf(key), tail: key.slice(-4) })
      .returning('created_at')
      .executeTakeFirstOrThrow()
  })
  return { api_key: key, created_at: shanghaiTime(made.created_at) }
}

/**
 * The owner of a key; notes its use.
 * @throws ApiError 24008 no such key, an old one after its ten minutes, or a disabled user's; 40029 too often
 */
export async function keyHolderOf(db: Kysely<Database>, given: string | string[] | undefined, ip: string): Promise<KeyHolder> {
  if (typeof given !== 'string' || !/^qmt_[\w-]{43}$/.test(given)) throwApiError(errorCodes.invalidApiKey)
  const used = await db
    .updateTable('qmt_key as k')
    .from('app_user as u')
    .set({ last_used_at: sql<Date>`now()`, last_ip: ip })
    .where('k.key_hash', '=', hashOf(given))
    .whereRef('u.id', '=', 'k.user_id')
    .where('u.disabled_at', 'is', null)
    .where('u.deletion_at', 'is', null)
    .where((key) => key.or([key('k.expires_at', 'is', null), key('k.expires_at', '>', sql<Date>`now()`)]))
    .returning(['k.id', 'k.user_id'])
    .executeTakeFirst()
  if (!used) throwApiError(errorCodes.invalidApiKey)
  const { count, seconds } = await countCall(db, used.id, 'qmt key', 60)
  if (count > perMinute) throw rateLimitError(seconds)
  return { userId: used.user_id, keyId: used.id }
}
