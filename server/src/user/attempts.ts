import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { ApiError, apiError, throwApiError } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'
import { networkOf, plainAddress } from '../http/address.ts'
import { countInWindow, rateLimitError, type WindowCount } from '../http/fixed-window.ts'
import type { Visitor } from '../http/visitor.ts'

/** Limits of failed logins: the number of failures, what they block, and for how long. A window begins with its first failure. */
const rules = {
  /** An account from one network (IPv4 /24, IPv6 /64). */
  near: { most: 5, minutes: 15 },
  /**
   * An account from one network, or on a device that is known, right passwords too: a known password keeps neither hashes nor tables busy.
   */
  often: { most: 300, minutes: 60 },
  /** An account on a device that has logged in before: guessers elsewhere cannot lock its owner out. */
  device: { most: 5, minutes: 15 },
  /**
   * Wrong passwords of a network, whatever accounts it tries. A network may be a campus or a mobile operator: beyond this it is asked for
   * the human check, never refused.
   */
  network: { most: 30, minutes: 10 },
  /** An account from everywhere, devices that are known apart: beyond this … */
  hour: { most: 20, minutes: 60 },
  /** … one attempt a minute, or each with a solved human check. */
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
  /** Whether the request shows a solved human check, which this uses up; asked only where it must be known. null: the network is not counted. */
  readonly isHuman: (() => Promise<boolean>) | null
}

/** Outcome of an attempt; the caller reports one of the two. */
export interface Counted {
  /** The password was right: the counts are taken back. */
  right(): Promise<void>
  /** It was wrong: its network is counted too. What other rules refuse, and what goes wrong here, never is. */
  wrong(): Promise<void>
}

/**
 * Counts one attempt to log in before the password is looked at, so that fifty at once are fifty. Shared by all apis. A known device and a
 * solved human check are counted by the account alone, whatever their network has done.
 * @throws ApiError 11002 with the minutes to wait, 40030
 */
export async function countAttempt(db: Kysely<Database>, { who, visitor, known, isHuman }: Attempt): Promise<Counted> {
  const network = networkOf(visitor.ip)
  const keys: Record<Rule, Buffer> = {
    near: keyOf('account', who, network),
    often: known ? keyOf('often', who, 'device', visitor.fingerprint ?? '') : keyOf('often', who, network),
    device: keyOf('device', who, visitor.fingerprint ?? ''),
    network: keyOf('network', network),
    hour: keyOf('hour', who),
    pace: keyOf('pace', who),
    row: keyOf('row', who),
  }
  const count = (rule: Rule) => countOne(db, keys[rule], rules[rule])
  const closed = async (rule: Rule) => {
    const used = await count(rule)
    if (used.count > rules[rule].most) refuse(used.seconds)
  }
  const asStranger = isHuman !== null && !known
  // A solved human check is used up by the first look at it.
  let shown: Promise<boolean> | null = null
  const hasHuman = () => (shown ??= isHuman?.() ?? Promise.resolve(false))
  if (asStranger) await needHumanBeyond(db, keys.network, rules.network.most, hasHuman)
  await closed('often')
  await closed(known ? 'device' : 'near')
  if (!known) {
    if ((await count('hour')).count > rules.hour.most && !(await hasHuman())) {
      const pace = await count('pace')
      if (pace.count > rules.pace.most) isHuman ? throwApiError(errorCodes.humanCheckNeeded) : refuse(pace.seconds)
    }
    if ((await count('row')).count > rules.row.most) {
      throw new ApiError(errorCodes.tooManyAttempts, '尝试次数过多，请通过“忘记密码”设置新密码后登录', { retryAfterSeconds: 3_600 })
    }
  }
  return {
    async right() {
      await forget(db, [keys.near, keys.device, keys.row])
      await refundAttempt(db, keys.hour)
    },
    async wrong() {
      if (asStranger) await count('network')
    },
  }
}

/** @throws ApiError 40030 once `most` were counted, and no solved human check is shown */
async function needHumanBeyond(db: Kysely<Database>, key: Buffer, most: number, isHuman: () => Promise<boolean>): Promise<void> {
  const counted = await db
    .selectFrom('login_failure')
    .select('failures')
    .where('key', '=', key)
    .where('window_ends_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if ((counted?.failures ?? 0) >= most && !(await isHuman())) throwApiError(errorCodes.humanCheckNeeded)
}

/** What a network may ask for without a login, and how often: a human check costs us a derived key, a shared report is large. */
const visits = {
  'human check': { most: 300, minutes: 10 },
  'shared report': { most: 300, minutes: 10 },
} as const
type Visit = keyof typeof visits

/** Counts one more. @returns the seconds to wait once it is too often; null: it is not */
export async function countVisit(db: Kysely<Database>, what: Visit, ip: string): Promise<number | null> {
  const { count, seconds } = await countOne(db, keyOf(what, networkOf(ip)), visits[what])
  return count <= visits[what].most ? null : Math.max(1, Math.ceil(seconds))
}

/** @throws ApiError 40029 */
export async function refuseOften(db: Kysely<Database>, what: Visit, ip: string): Promise<void> {
  const wait = await countVisit(db, what, ip)
  if (wait !== null) throw rateLimitError(wait)
}

/** Limit of WeChat scans without a login by network: each is a call to WeChat, whose daily number is limited. */
const scans = { most: 300, minutes: 10 }

/**
 * Counts a scan before WeChat is asked; beyond the network's number the human check is asked for.
 * @returns takes the count back: the scan was good
 * @throws ApiError 40030
 */
export async function countScan(db: Kysely<Database>, ip: string, isHuman: () => Promise<boolean>): Promise<() => Promise<void>> {
  const key = keyOf('scan', networkOf(ip))
  const { count } = await countOne(db, key, scans)
  if (count > scans.most && !(await isHuman())) {
    await refundAttempt(db, key)
    throwApiError(errorCodes.humanCheckNeeded)
  }
  return () => refundAttempt(db, key)
}

/** Visitors of the demo who come from one address (IPv4, IPv6 /64): beyond this the human check is asked for, which lifts it by ten. */
const guests = { most: 20, minutes: 60, humanLift: 10 }
/** Those of an IPv6 /48, which one customer of a provider may hold whole: in a day fewer than an installation keeps. */
const guestsOfSite = { most: 150, minutes: 60 }

/** Counts a visitor of the demo. @throws ApiError 40030, 40029 */
export async function countGuest(db: Kysely<Database>, ip: string, isHuman: () => Promise<boolean>): Promise<void> {
  const plain = plainAddress(ip)
  const network = isIPv6(plain) ? networkOf(plain) : plain
  const key = keyOf('guest', network)
  const { count, seconds } = await countOne(db, key, guests)
  const isMany = count > guests.most
  if (isMany && (count > guests.most * guests.humanLift || !(await isHuman()))) {
    await refundAttempt(db, key)
    if (count <= guests.most * guests.humanLift) throwApiError(errorCodes.humanCheckNeeded)
    throw rateLimitError(seconds)
  }
  if (!isIPv6(plain)) return
  const site = keyOf('guests of a site', network.split(':').slice(0, 3).join(':'))
  const ofSite = await countOne(db, site, guestsOfSite)
  if (ofSite.count <= guestsOfSite.most) return
  await refundAttempt(db, site)
  throw rateLimitError(ofSite.seconds)
}

/** Forgets the failures of an account after a new password: guesses at the old one count no more. */
export async function forgetAttempts(db: Kysely<Database>, userId: string): Promise<void> {
  await forget(db, [keyOf('hour', userId), keyOf('pace', userId), keyOf('row', userId)])
}

const countOne = (db: Kysely<Database>, key: Buffer, { minutes }: { minutes: number }): Promise<WindowCount> =>
  countInWindow(db, 'login_failure', [key], minutes * 60)

function refuse(seconds: number): never {
  const refusal = apiError(errorCodes.tooManyAttempts, Math.max(1, Math.ceil(seconds / 60)))
  throw new ApiError(refusal.code, refusal.message, { retryAfterSeconds: Math.ceil(seconds) })
}

async function refundAttempt(db: Kysely<Database>, key: Buffer): Promise<void> {
  await sql`update login_failure set failures = greatest(failures - 1, 0) where key = ${key}`.execute(db)
}

const forget = (db: Kysely<Database>, keys: Buffer[]) =>
  sql`delete from login_failure where key = any(${keys}::bytea[]) or window_ends_at < now()`.execute(db)

/** Hashed: the table must not become a list of who tried to log in from where. */
const keyOf = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\n')).digest()
