import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { Failure, failure } from '../http/fail.ts'

const perAccount = { most: 5, minutes: 15 }
const perNetwork = { most: 30, minutes: 10 }

/**
 * Counts one attempt to log in before the password is looked at, so that fifty at once are fifty: 5 failures of an account from
 * one network (IPv4 /24, IPv6 /64) close it for 15 minutes, 30 failures of a network close that for 10. Shared by all apis.
 * @returns what to call when the password was right: it takes the count back
 * @throws Failure 11002 with the minutes to wait
 */
export async function countAttempt(db: Kysely<Database>, account: string, ip: string): Promise<() => Promise<void>> {
  const network = networkOf(ip)
  const keys = [
    { ...perAccount, key: keyOf('account', account, network) },
    { ...perNetwork, key: keyOf('network', network) },
  ]
  for (const { key, most, minutes } of keys) {
    const { rows } = await sql<{ failures: number; seconds: number }>`
      insert into login_failure as f (key, failures, window_ends_at)
      values (${key}, 1, now() + make_interval(mins => ${minutes}))
      on conflict (key) do update set
        failures = case when f.window_ends_at <= now() then 1 else f.failures + 1 end,
        window_ends_at = case when f.window_ends_at <= now() then excluded.window_ends_at else f.window_ends_at end
      returning failures, extract(epoch from window_ends_at - now())::float8 as seconds`.execute(db)
    const [count] = rows
    if (count && count.failures > most) {
      const refusal = failure(11002, Math.max(1, Math.ceil(count.seconds / 60)))
      throw new Failure(refusal.code, refusal.message, { retryAfterSeconds: Math.ceil(count.seconds) })
    }
  }
  return async () => {
    await sql`delete from login_failure where key = ${keys[0]?.key} or window_ends_at < now()`.execute(db)
    await sql`update login_failure set failures = greatest(failures - 1, 0) where key = ${keys[1]?.key}`.execute(db)
  }
}

/** Neighbours share a line: IPv4 by /24, IPv6 by /64. */
export function networkOf(ip: string): string {
  const v4 = ip.startsWith('::ffff:') ? ip.slice(7) : ip
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
