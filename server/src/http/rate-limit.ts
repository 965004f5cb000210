import { type Kysely, sql } from 'kysely'
import type { ApiError } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'
import type { Caller } from './caller.ts'
import { sessionIdOf } from './caller.ts'
import { countInWindow, rateLimitError } from './fixed-window.ts'

/**
 * Rate limits of calls: how often one user, or the demo's visitors of one address together, may call within a stretch of seconds that begins
 * with the first time, whichever api answers (reliability.md 2.3). Others: terminal clients by key (`qmt/api-keys.ts`), login and codes
 * (`user/attempts.ts`), uploads (`file/files.ts`), computing of demo visitors (`guest-turns.ts`).
 */
const rates = {
  request: { most: 60, seconds: 10 },
  /** The guests of one address: a school or an office may look at the demo together. */
  guests: { most: 300, seconds: 10 },
  /** Edits of a rule come by the second; beyond that nobody looks at the curve. */
  quick: { most: 120, seconds: 60 },
} as const

/** Calls with a rate limit of their own: a curve that follows every edit must not use up what pages need. */
export const hasOwnRateLimit = (path: string): boolean => path.endsWith('/quick-backtest')

/** Counts a call of an owner in the stretch of seconds that is under way, by the database's clock. */
export const countCall = (db: Kysely<Database>, owner: string, item: string, seconds: number) =>
  countInWindow(db, 'rate_use', [owner, item], seconds)

/**
 * Counts a call, by the database's clock.
 * @returns the error (40029) above the rate limit, else null
 */
export async function checkRateLimit(
  db: Kysely<Database>,
  { id, sessionId, guestOf }: Caller,
  item: 'request' | 'quick',
): Promise<ApiError | null> {
  const asGuest = item === 'request' && guestOf !== null
  const { most, seconds } = rates[asGuest ? 'guests' : item]
  const owner = asGuest ? guestOf : id
  const used = await countCall(db, owner, item, seconds)
  if (used.count <= most) return null
  if (asGuest) keepTired(sessionId, used.seconds * 1_000)
  return rateLimitError(used.seconds)
}

/** Sessions of guests whose address has asked too often, and until when (`performance.now()`), as far as this process knows. */
const tired = new Map<string, number>()
const mostTired = 10_000

function keepTired(sessionId: string, ms: number): void {
  if (tired.size >= mostTired) tired.clear()
  tired.set(sessionId, performance.now() + ms)
}

/**
 * Refuses a crowd of guests before the database is asked who they are: what is left of their address's stretch costs nobody anything. A token
 * that only claims such a session is refused alike.
 * @throws ApiError 40029
 */
export function refuseTired(token: string | string[] | undefined): void {
  const id = tired.size > 0 && typeof token === 'string' ? sessionIdOf(token) : null
  const until = id === null ? undefined : tired.get(id)
  if (id === null || until === undefined) return
  const left = until - performance.now()
  if (left > 0) throw rateLimitError(left / 1_000)
  tired.delete(id)
}

/** Deletes counts that ended more than an hour ago: the next call begins a new count anyway. */
export const sweepRates = (db: Kysely<Database>) => sql`delete from rate_use where ends_at < now() - interval '1 hour'`.execute(db)
