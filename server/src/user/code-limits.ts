import { errorCodes } from '@convexa/contract/enums/error-code'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { ApiError, apiError } from '../base/api-error.ts'
import type { Config } from '../config/config.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { type Address, mailboxHash, sourceHash } from './addresses.ts'

const minute = 60
const hour = 3_600
const day = 86_400

/** How many codes may be sent within any stretch of so many seconds (reliability.md 2.1), all purposes together. */
export const caps = [
  { of: 'target', most: 1, seconds: minute, refusal: errorCodes.codeTooSoon },
  { of: 'target', most: 5, seconds: hour, refusal: errorCodes.codeTooSoon },
  { of: 'target', most: 10, seconds: day, refusal: errorCodes.dailyCodeLimit },
  { of: 'source', most: 10, seconds: hour, refusal: errorCodes.codeTooSoon },
  { of: 'source', most: 30, seconds: day, refusal: errorCodes.dailyCodeLimit },
  { of: 'user', most: 10, seconds: day, refusal: errorCodes.dailyCodeLimit },
] as const
/** How many different targets one source may send to in an hour. */
export const mostTargets = { most: 5, seconds: hour }
/** Factor on the caps of a source after a solved human check: a mobile operator has hundreds of people behind one address. */
export const humanLift = 10
/** Counts from which a request needs a human check: repeated codes, and the whole site when it sends too many. */
export const humanFrom = { target: 3, source: 4, site: 2_000, seconds: hour }

/** What was sent in the last 24 hours, by age in seconds. */
export interface Sends {
  readonly target: readonly number[]
  readonly source: readonly { readonly age: number; readonly target: string }[]
  readonly user: readonly number[]
}

export interface SendLimitReached {
  readonly code: (typeof errorCodes)['codeTooSoon' | 'dailyCodeLimit' | 'humanCheckNeeded']
  /** Seconds; 0 for 40030. */
  readonly wait: number
}

/** The limit that forbids one more code to `target` now, after a solved human check; null: none. */
export const refusalOf = (sends: Sends, target: string): SendLimitReached | null =>
  beyond(sends, 'target') ?? beyondSource(sends, target, humanLift) ?? beyond(sends, 'user')

/** Whether a person has to show that they are one: `site` codes went out in the last hour. */
export function needsHuman(sends: Sends, target: string, site: number): boolean {
  const recent = (ages: readonly number[]) => ages.filter((age) => age < humanFrom.seconds).length
  const fromSource = recent(sends.source.map(({ age }) => age))
  if (recent(sends.target) >= humanFrom.target || fromSource >= humanFrom.source || site >= humanFrom.site) return true
  return beyondSource(sends, target, 1) !== null
}

/** The first cap of a kind that is reached, `lift` times over. */
function beyond(sends: Sends, kind: (typeof caps)[number]['of'], lift = 1): SendLimitReached | null {
  const ages = kind === 'source' ? sends.source.map(({ age }) => age) : sends[kind]
  for (const { of, most, seconds, refusal } of caps) {
    const wait = of === kind ? waitFor(ages, most * lift, seconds) : 0
    if (wait > 0) return { code: refusal, wait }
  }
  return null
}

/** What a source may send in all, and to how many other targets. */
function beyondSource(sends: Sends, target: string, lift: number): SendLimitReached | null {
  const all = beyond(sends, 'source', lift)
  if (all) return all
  const newest = new Map<string, number>()
  for (const { age, target: other } of sends.source) {
    if (other !== target) newest.set(other, Math.min(age, newest.get(other) ?? age))
  }
  const wait = waitFor([...newest.values()], mostTargets.most * lift, mostTargets.seconds)
  return wait > 0 ? { code: errorCodes.codeTooSoon, wait } : null
}

/** Seconds until fewer than `most` lie within the window. */
function waitFor(ages: readonly number[], most: number, seconds: number): number {
  const oldest = [...ages].sort((a, b) => a - b)[most - 1]
  return oldest === undefined ? 0 : Math.max(0, seconds - oldest)
}

export interface Send {
  readonly target: Address
  readonly ip: string
  /** Asked for while logged in. */
  readonly userId: string | null
}

const clock = sql<Date>`clock_timestamp()`

/**
 * Counts one code before it is sent. Requests for the same target, from the same source or for the same user wait until this transaction
 * ends, so fifty at once are counted one by one; all times are the database's.
 * @param isHuman asked only when it must be known
 * @returns how many codes the site sent within the hour, this one included
 * @throws ApiError 11004, 11005 with the time to wait, 40030
 */
export async function countSend(
  transaction: Transaction<Database>,
  config: Config,
  { target, ip, userId }: Send,
  isHuman: () => Promise<boolean>,
  now: RawBuilder<Date> = clock,
): Promise<number> {
  const hashes = { target: mailboxHash(config, target), source: sourceHash(config, ip) }
  await lock(transaction, [hashes.target, hashes.source, ...(userId ? [Buffer.from(userId.replaceAll('-', ''), 'hex').subarray(-4)] : [])])
  const sends = await sendsOf(transaction, hashes, userId, now)
  const to = hashes.target.toString('hex')
  const refusal = refusalOf(sends, to)
  if (refusal) refuse(refusal)
  // Last and for as short as can be: everybody's turn.
  await lock(transaction, [Buffer.alloc(4)])
  const site = await siteSends(transaction, now)
  if (needsHuman(sends, to, site) && !(await isHuman())) refuse({ code: errorCodes.humanCheckNeeded, wait: 0 })
  await sql`insert into code_send (sent_at, target_hash, source_hash, user_id) values (${now}, ${hashes.target}, ${hashes.source}, ${userId})`.execute(
    transaction,
  )
  return site + 1
}

/** In one order for all: two that need the same two never wait for each other. */
async function lock(transaction: Transaction<Database>, keys: readonly Buffer[]): Promise<void> {
  const sorted = keys.map((key) => key.readInt32BE()).sort((a, b) => a - b)
  for (const key of sorted) await sql`select pg_advisory_xact_lock(${locks.codeSend}, ${key})`.execute(transaction)
}

async function sendsOf(
  transaction: Transaction<Database>,
  hashes: { target: Buffer; source: Buffer },
  userId: string | null,
  now: RawBuilder<Date>,
): Promise<Sends> {
  const { rows } = await sql<{ of: 'target' | 'source' | 'user'; age: number; target: string }>`
    with the as materialized (select ${now} as moment),
    recent as (select s.*, extract(epoch from the.moment - s.sent_at)::float8 as age from code_send s, the
      where s.sent_at > the.moment - interval '1 day' and (s.target_hash = ${hashes.target} or s.source_hash = ${hashes.source} or s.user_id = ${userId}))
    select 'target' as of, age, '' as target from recent where target_hash = ${hashes.target}
    union all select 'source', age, encode(target_hash, 'hex') from recent where source_hash = ${hashes.source}
    union all select 'user', age, '' from recent where user_id = ${userId}`.execute(transaction)
  const of = (which: string) => rows.filter((row) => row.of === which)
  return { target: of('target').map(({ age }) => age), source: of('source'), user: of('user').map(({ age }) => age) }
}

async function siteSends(transaction: Transaction<Database>, now: RawBuilder<Date>): Promise<number> {
  const { rows } = await sql<{ sends: number }>`
    select count(*) as sends from code_send where sent_at > ${now} - make_interval(secs => ${humanFrom.seconds})`.execute(transaction)
  return rows[0]?.sends ?? 0
}

function refuse({ code, wait }: SendLimitReached): never {
  const seconds = Math.ceil(wait)
  throw new ApiError(code, apiError(code, seconds).message, seconds ? { retryAfterSeconds: seconds } : {})
}
