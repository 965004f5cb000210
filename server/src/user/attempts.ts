import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { Failure, failure } from '../http/fail.ts'
import type { Visitor } from '../http/visitor.ts'

/** How many failures close what for how long. A window begins with its first failure. */
const rules = {
  /** An account from one network (IPv4 /24, IPv6 /64). */
  near: { most: 5, minutes: 15 },
  /** An account from one network, right passwords too: whoever knows one (all know the demo's) keeps neither hashes nor tables busy. */
  often: { most: 300, minutes: 60 },
  /** An account on a device that has logged in before: guessers elsewhere cannot lock its owner out. */
  device: { most: 5, minutes: 15 },
  /** A network, whatever accounts it tries. */
  network: { most: 30, minutes: 10 },
  /** An account from everywhere, devices that are known apart: beyond this … */
  hour: { most: 20, minutes: 60 },
  /** … one attempt a minute. */
  pace: { most: 1, minutes: 1 },
  /** In a row, from everywhere: beyond this only a new password opens the account (NIST SP 800-63B: at most 100). */
  row: { most: 100, minutes: 100 * 365 * 24 * 60 },
} as const
type Rule = keyof typeof rules

export interface Attempt {
  /** The user's id; the account as typed where there is none, so that both close alike. */
  readonly who: string
  readonly visitor: Visitor
  /** The visitor's fingerprint has logged in here before. */
  readonly known: boolean
}

/**
 * Counts one attempt to log in before the password is looked at, so that fifty at once are fifty. Shared by all apis.
 * @returns what to call when the password was right: it takes the count back
 * @throws Failure 11002 with the minutes to wait
 */
export async function countAttempt(db: Kysely<Database>, { who, visitor, known }: Attempt): Promise<() => Promise<void>> {
  const network = networkOf(visitor.ip)
  const keys: Record<Rule, Buffer> = {
    near: keyOf('account', who, network),
    often: keyOf('often', who, network),
    device: keyOf('device', who, visitor.fingerprint ?? ''),
    network: keyOf('network', network),
    hour: keyOf('hour', who),
    pace: keyOf('pace', who),
    row: keyOf('row', who),
  }
  const count = (rule: Rule) => countOne(db, keys[rule], rules[rule])
  const closed = async (rule: Rule) => {
    const { failures, seconds } = await count(rule)
    if (failures > rules[rule].most) refuse(seconds)
  }
  await closed('network')
  await closed('often')
  await closed(known ? 'device' : 'near')
  if (!known) {
    if ((await count('hour')).failures > rules.hour.most) await closed('pace')
    if ((await count('row')).failures > rules.row.most) {
      throw new Failure(11002, '尝试次数过多，请通过“忘记密码”设置新密码后登录', { retryAfterSeconds: 3_600 })
    }
  }
  return async () => {
    await forget(db, [keys.near, keys.device, keys.row])
    await sql`update login_failure set failures = greatest(failures - 1, 0) where key = any(${[keys.network, keys.hour]}::bytea[])`.execute(
      db,
    )
  }
}

/**
 * What a network may ask for without a login, and how often: a human check costs us a derived key, a shared report is large, a scan is a
 * call to WeChat, which answers an application only so many a day.
 */
const visits = {
  'human check': { most: 300, minutes: 10 },
  'shared report': { most: 300, minutes: 10 },
  scan: { most: 300, minutes: 10 },
} as const

/** @throws Failure 40029 */
export async function countVisit(db: Kysely<Database>, what: keyof typeof visits, ip: string): Promise<void> {
  const rule = visits[what]
  const { failures, seconds } = await countOne(db, keyOf(what, networkOf(ip)), rule)
  if (failures <= rule.most) return
  const wait = Math.max(1, Math.ceil(seconds))
  throw new Failure(40029, failure(40029, wait).message, { retryAfterSeconds: wait })
}

/** After a new password: whoever guessed at the old one guesses no more. */
export async function forgetAttempts(db: Kysely<Database>, userId: string): Promise<void> {
  await forget(db, [keyOf('hour', userId), keyOf('pace', userId), keyOf('row', userId)])
}

async function countOne(
  db: Kysely<Database>,
  key: Buffer,
  { minutes }: { minutes: number },
): Promise<{ failures: number; seconds: number }> {
  const { rows } = await sql<{ failures: number; seconds: number }>`
    insert into login_failure as f (key, failures, window_ends_at)
    values (${key}, 1, now() + make_interval(mins => ${minutes}))
    on conflict (key) do update set
      failures = case when f.window_ends_at <= now() then 1 else f.failures + 1 end,
      window_ends_at = case when f.window_ends_at <= now() then excluded.window_ends_at else f.window_ends_at end
    returning failures, extract(epoch from window_ends_at - now())::float8 as seconds`.execute(db)
  return rows[0] ?? { failures: 0, seconds: 0 }
}

function refuse(seconds: number): never {
  const refusal = failure(11002, Math.max(1, Math.ceil(seconds / 60)))
  throw new Failure(refusal.code, refusal.message, { retryAfterSeconds: Math.ceil(seconds) })
}

const forget = (db: Kysely<Database>, keys: Buffer[]) =>
  sql`delete from login_failure where key = any(${keys}::bytea[]) or window_ends_at < now()`.execute(db)

/**
 * The address alone: without the port that some proxies tell with it, without the name of our interface (link-local). An IPv4 address that
 * came over IPv6 is an IPv4 address.
 */
export const plainAddress = (ip: string): string =>
  ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^::ffff:/, '')
    .replace(/%.*$/, '')

/** Neighbours share a line: IPv4 by /24, IPv6 by /64. */
export function networkOf(ip: string): string {
  const v4 = plainAddress(ip)
  if (!isIPv6(v4)) return v4.split('.').slice(0, 3).join('.')
  const [head = '', tail = ''] = v4.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const middle = v4.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return [...left, ...middle, ...right]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}

/** Hashed: the table must not become a list of who tried to log in from where. */
const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\n')).digest()
