import { isIPv6 } from 'node:net'
import type { LoginMethod, LoginRecord, Page, Session } from '@convexa/contract'
import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { shanghaiTime } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { plainAddress } from '../http/address.ts'
import type { Visitor } from '../http/visitor.ts'
import { seenIn } from './user-agent.ts'

export interface Login {
  /** null: the account is unknown. It is recorded all the same, for operators and so that both take as long. */
  readonly userId: string | null
  readonly sessionId: string | null
  readonly method: LoginMethod
  readonly success: boolean
  readonly visitor: Visitor
}

export async function recordLogin(db: Kysely<Database>, { userId, sessionId, method, success, visitor }: Login): Promise<void> {
  await db
    .insertInto('login_record')
    .values({
      id: uuid(),
      user_id: userId,
      session_id: sessionId,
      method,
      success,
      ...seenIn(visitor.userAgent),
      ip: plainAddress(visitor.ip),
      fingerprint: visitor.fingerprint,
    })
    .execute()
}

/** A user's logins and failed attempts, newest first. */
export async function listLogins(
  db: Kysely<Database>,
  userId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<Page<LoginRecord>> {
  const own = db.selectFrom('login_record as r').where('user_id', '=', userId)
  const [{ total }, rows] = await Promise.all([
    own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    own
      .select(['login_at', 'method', 'device', 'os', 'browser', 'success', 'fingerprint', sql<string>`host(ip)`.as('ip')])
      .select(knownDevice.as('known_device'))
      .orderBy('login_at', 'desc')
      .orderBy('id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
  ])
  const list_items = rows.map(({ ip, fingerprint, login_at, ...rest }) => ({
    ...rest,
    login_at: shanghaiTime(login_at),
    ip_masked: maskedAddress(ip),
    city: placeOf(ip),
    ...(fingerprint !== null && { fingerprint }),
  }))
  return { total: Number(total), offset, limit, list_items }
}

/** The devices on which a user is logged in now, the one that asks first, then those that were used last. */
export async function listSessions(
  db: Kysely<Database>,
  { id: userId, sessionId }: { readonly id: string; readonly sessionId: string },
): Promise<Session[]> {
  const rows = await db
    .selectFrom('session as s')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('login_record as r')
          .select(['r.device', 'r.os', 'r.browser', sql<string>`host(r.ip)`.as('ip')])
          .whereRef('r.user_id', '=', 's.user_id')
          .whereRef('r.session_id', '=', 's.id')
          .where('r.success', '=', true)
          .limit(1)
          .as('login'),
      (join) => join.onTrue(),
    )
    .where('s.user_id', '=', userId)
    .where('s.revoked_at', 'is', null)
    .where('s.refresh_expires_at', '>', sql<Date>`now()`)
    .where('s.absolute_expires_at', '>', sql<Date>`now()`)
    .select(['s.id', 's.created_at', 'login.device', 'login.os', 'login.browser', 'login.ip'])
    .select(sql<Date>`coalesce(s.rotated_at, s.created_at)`.as('active_at'))
    .orderBy(sql`s.id = ${sessionId}`, 'desc')
    .orderBy('active_at', 'desc')
    .orderBy('s.id')
    .execute()
  return rows.map(({ id, created_at, active_at, device, os, browser, ip }) => ({
    session_id: id,
    device: device ?? '',
    os: os ?? '',
    browser: browser ?? '',
    ip_masked: ip === null ? '' : maskedAddress(ip),
    city: ip === null ? null : placeOf(ip),
    login_at: shanghaiTime(created_at),
    active_at: shanghaiTime(active_at),
    current: id === sessionId,
  }))
}

/** Whether the device of record `r` had logged in before: by its fingerprint, and the first of all is nobody else's. */
const knownDevice = sql<boolean>`case
  when exists (select from login_record e where e.user_id = r.user_id and e.success and (e.login_at, e.id) < (r.login_at, r.id))
  then exists (
    select from login_record e
    where e.user_id = r.user_id and e.success and e.fingerprint = r.fingerprint and (e.login_at, e.id) < (r.login_at, r.id))
  else r.success end`

/** `203.0.113.*`, `2001:db8:1:*`: enough to know one's own network by. */
function maskedAddress(ip: string): string {
  if (!isIPv6(ip)) return `${ip.split('.').slice(0, 3).join('.')}.*`
  const groups = ip.split('::')[0]?.split(':').filter(Boolean) ?? []
  return `${groups.slice(0, 3).join(':')}:*`
}

const places: readonly (readonly [RegExp, string])[] = [
  [/^(127\.|::1$)/, '本机'],
  [/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/, '局域网'],
]

/** A city needs a database of addresses, which we do not bundle: only what an address says by itself. */
const placeOf = (ip: string): string | null => places.find(([mark]) => mark.test(ip))?.[1] ?? null
