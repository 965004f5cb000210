import type { LoginMethod, TokenData } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { throwApiError } from '../base/api-error.ts'
import type { Database, EndReason } from '../db/tables.ts'
import type { Caller } from '../http/caller.ts'
import { sessionIdOf } from '../http/caller.ts'
import type { Visitor } from '../http/visitor.ts'
import { recordLogin } from './logins.ts'
import { hashOf, newToken, sameHash, seal, unseal } from './tokens.ts'
import { vipNow } from './vip.ts'

type Tokens = Omit<TokenData, 'user'>

const accessSeconds = 30 * 60
const refreshDays = 14
const absoluteDays = 60
/** A visitor of the demo is erased after a day (guests.ts). */
const guestDays = 1
const mostLogins = 10
const sameAnswerSeconds = 10
const reAuthSeconds = 5 * 60

// All times are the database's clock (D15): now() in SQL, never Node's.
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`
const inDays = (days: number) => sql<Date>`now() + make_interval(days => ${days})`
/** How long a session's tokens last, as its row says. */
const left = [
  sql<number>`floor(extract(epoch from access_expires_at - now()))::int`.as('access_seconds'),
  sql<number>`floor(extract(epoch from least(refresh_expires_at, absolute_expires_at) - now()))::int`.as('login_seconds'),
] as const
interface Left {
  access_seconds: number
  login_seconds: number
}

/** A user whose identity is proven. `password_hash`: what the password was found right by, where one was. */
interface Shown {
  readonly id: string
  readonly is_demo: boolean
  readonly password_hash?: string | null
}

/**
 * Opens a session for a user who has shown who they are, with its login record; those beyond the limit that were used longest ago end.
 * `login` null: nobody logs in (tests, tools), nothing is recorded.
 * @throws ApiError 11001 the password was changed, or the user deleted, while it was looked at
 */
export async function openSession(
  db: Kysely<Database>,
  user: Shown,
  login: { method: LoginMethod; visitor: Visitor } | null,
): Promise<Tokens> {
  const id = uuid()
  const access = newToken(id)
  const refresh = newToken(id)
  const opened = await db.transaction().execute(async (tx) => {
    // Locked: a new password that comes now waits, and then ends this session with the others.
    const now = await tx.selectFrom('app_user').select('password_hash').where('id', '=', user.id).forShare().executeTakeFirst()
    if (!now || (user.password_hash !== undefined && user.password_hash !== now.password_hash)) throwApiError(errorCodes.wrongCredentials)
    const inserted = await tx
      .insertInto('session')
      .values({
        id,
        user_id: user.id,
        access_hash: hashOf(access),
        refresh_hash: hashOf(refresh),
        access_expires_at: inSeconds(accessSeconds),
        refresh_expires_at: inDays(user.is_demo ? guestDays : refreshDays),
        absolute_expires_at: inDays(user.is_demo ? guestDays : absoluteDays),
      })
      .returning(left)
      .executeTakeFirstOrThrow()
    if (login) await recordLogin(tx, { ...login, userId: user.id, sessionId: id, success: true })
    await tx
      .deleteFrom('session')
      .where('user_id', '=', user.id)
      .where((row) => row.or([row('refresh_expires_at', '<', sql<Date>`now()`), row('absolute_expires_at', '<', sql<Date>`now()`)]))
      .execute()
    const keep = tx
      .selectFrom('session')
      .select('id')
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .orderBy(sql`coalesce(rotated_at, created_at)`, 'desc')
      .orderBy('id', 'desc')
      .limit(mostLogins)
    await tx
      .updateTable('session')
      .set({ revoked_at: sql<Date>`now()`, revoke_reason: 'limit' })
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .where('id', 'not in', keep)
      .execute()
    return inserted
  })
  return tokens(access, refresh, opened)
}

/**
 * The caller of an access token, asked of the database on every request: a logout holds at once.
 * @throws ApiError 401: 40100 none or unknown, 40101 expired, 40102 logged out, 40103 revoked for reuse
 */
export async function callerOf(db: Kysely<Database>, token: string | string[] | undefined): Promise<Caller> {
  if (typeof token !== 'string' || token === '') throwApiError(errorCodes.loginNeeded)
  const id = sessionIdOf(token)
  if (!id) throwApiError(errorCodes.loginNeeded)
  const row = await db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .where('session.id', '=', id)
    .select(['session.access_hash', 'session.previous_access_hash', 'session.revoked_at', 'session.revoke_reason'])
    .select(['app_user.id as user_id', 'app_user.is_demo', 'app_user.guest_source', 'app_user.disabled_at', vipNow('app_user').as('level')])
    .select([
      sql<boolean>`session.access_expires_at > now()`.as('alive'),
      sql<boolean>`session.previous_access_expires_at > now()`.as('previous_alive'),
      sql<boolean>`coalesce(session.re_auth_until > now(), false)`.as('re_authed'),
    ])
    .executeTakeFirst()
  if (!row) throwApiError(errorCodes.loginNeeded)
  const hash = hashOf(token)
  const current = sameHash(hash, row.access_hash)
  const previous = sameHash(hash, row.previous_access_hash)
  // The wrong secret for a session that exists: an older token of it, or a guess; neither learns the state of the session.
  if (!current && !previous) throwApiError(errorCodes.sessionExpired)
  if (row.revoked_at) throwApiError(row.revoke_reason === 'reuse' ? errorCodes.tokenReused : errorCodes.loggedOut)
  if (row.disabled_at) throwApiError(errorCodes.loggedOut)
  if (current ? !row.alive : !row.previous_alive) throwApiError(errorCodes.sessionExpired)
  return { id: row.user_id, level: row.level, sessionId: id, isDemo: row.is_demo, guestOf: row.guest_source, reAuthed: row.re_authed }
}

/** Whether a call that goes on for long may go on: its session was not ended, its user not shut out. Tokens may change meanwhile. */
export async function stillLoggedIn(db: Kysely<Database>, { sessionId }: Caller): Promise<boolean> {
  const row = await db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select('session.id')
    .where('session.id', '=', sessionId)
    .where('session.revoked_at', 'is', null)
    .where('app_user.disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Exchanges a refresh token for the next pair. One compare-and-set decides among parallel calls; for 10 s the loser gets the winner's
 * pair, so two tabs stay logged in. Later use of a used-up token ends all sessions of its user: somebody else holds a copy.
 * @throws ApiError 401: 40100 unknown, 40101 expired, 40102 logged out, 40103 reuse
 */
export async function refreshSession(db: Kysely<Database>, token: string): Promise<Tokens & { userId: string }> {
  const id = sessionIdOf(token)
  if (!id) throwApiError(errorCodes.loginNeeded)
  const hash = hashOf(token)
  const access = newToken(id)
  const refresh = newToken(id)
  const rotated = await db
    .updateTable('session')
    .set((row) => ({
      previous_access_hash: row.ref('access_hash'),
      previous_access_expires_at: row.ref('access_expires_at'),
      previous_refresh_hash: row.ref('refresh_hash'),
      access_hash: hashOf(access),
      refresh_hash: hashOf(refresh),
      successor: seal(`${access} ${refresh}`, token),
      rotated_at: sql<Date>`now()`,
      access_expires_at: sql<Date>`least(now() + make_interval(secs => ${accessSeconds}), absolute_expires_at)`,
      refresh_expires_at: inDays(refreshDays),
    }))
    .where('id', '=', id)
    .where('refresh_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('refresh_expires_at', '>', sql<Date>`now()`)
    .where('absolute_expires_at', '>', sql<Date>`now()`)
    .where('user_id', 'in', (from) => from.selectFrom('app_user').select('id').where('disabled_at', 'is', null))
    .returning(['user_id', ...left])
    .executeTakeFirst()
  if (rotated) return { ...tokens(access, refresh, rotated), userId: rotated.user_id }

  const row = await db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .where('session.id', '=', id)
    .select(['user_id', 'disabled_at', 'refresh_hash', 'previous_refresh_hash', 'successor', 'revoked_at', 'revoke_reason'])
    .select(left)
    .select(sql<boolean>`rotated_at > now() - make_interval(secs => ${sameAnswerSeconds})`.as('just_rotated'))
    .executeTakeFirst()
  if (!row) throwApiError(errorCodes.loginNeeded)
  if (row.revoked_at) throwApiError(row.revoke_reason === 'reuse' ? errorCodes.tokenReused : errorCodes.loggedOut)
  if (row.disabled_at) throwApiError(errorCodes.loggedOut)
  if (sameHash(hash, row.refresh_hash)) throwApiError(errorCodes.sessionExpired)
  if (sameHash(hash, row.previous_refresh_hash) && row.just_rotated && row.successor) {
    const [sameAccess = '', sameRefresh = ''] = unseal(row.successor, token).split(' ')
    return { ...tokens(sameAccess, sameRefresh, row), userId: row.user_id }
  }
  await end(db, 'reuse', { userId: row.user_id })
  throwApiError(errorCodes.tokenReused)
}

/** Ends the session with all its tokens at once. */
export async function closeSession(db: Kysely<Database>, sessionId: string): Promise<void> {
  await end(db, 'logout', { id: sessionId })
}

/** Ends one session of a user's own. @returns false: the user has no such session, or it is over */
export async function endSession(db: Kysely<Database>, userId: string, sessionId: string): Promise<boolean> {
  return (await end(db, 'others', { id: sessionId, userId })) > 0
}

/**
 * Ends the sessions of a user at once, all but `except`: after a new password, a new mobile or WeChat, by an operator.
 * @returns how many devices were logged in until now
 */
export async function endSessions(db: Kysely<Database>, userId: string, reason: EndReason, except?: string): Promise<number> {
  return end(db, reason, { userId, ...(except !== undefined && { except }) })
}

/** Opens the five minutes of a session in which `needReAuth` passes. @returns their end */
export async function openReAuth(db: Kysely<Database>, sessionId: string): Promise<Date> {
  const row = await db
    .updateTable('session')
    .set({ re_auth_until: inSeconds(reAuthSeconds) })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .returning('re_auth_until')
    .executeTakeFirst()
  return row?.re_auth_until ?? throwApiError(errorCodes.loggedOut)
}

/**
 * For what a stolen token alone must not do.
 * @throws ApiError 11013
 */
export function needReAuth(caller: Caller): void {
  if (!caller.reAuthed) throwApiError(errorCodes.reAuthNeeded)
}

async function end(
  db: Kysely<Database>,
  reason: EndReason | 'logout' | 'reuse',
  which: { id: string; userId?: string } | { userId: string; except?: string },
): Promise<number> {
  let sessions = db
    .updateTable('session')
    .set({ revoked_at: sql<Date>`now()`, revoke_reason: reason, successor: null })
    .where('revoked_at', 'is', null)
  if ('id' in which) {
    sessions = sessions.where('id', '=', which.id)
    if (which.userId) sessions = sessions.where('user_id', '=', which.userId)
  } else {
    sessions = sessions.where('user_id', '=', which.userId)
    if (which.except) sessions = sessions.where('id', '!=', which.except)
  }
  const ended = await sessions.returning(sql<boolean>`refresh_expires_at > now() and absolute_expires_at > now()`.as('alive')).execute()
  return ended.filter(({ alive }) => alive).length
}

const tokens = (access: string, refresh: string, { access_seconds, login_seconds }: Left): Tokens => ({
  access_token: access,
  refresh_token: refresh,
  expires_in: access_seconds,
  login_ends_in: login_seconds,
  token_type: 'bearer',
})
