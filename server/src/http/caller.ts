import type { Kysely } from 'kysely'
import { stringify as uuidText } from 'uuid'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'

/** The logged-in user; `level` 0 is free, 1 VIP. */
export interface Caller {
  id: string
  level: number
  sessionId: string
  /** A visitor of the demo. */
  isDemo: boolean
  /** Of a visitor of the demo: the address that they share limits by, as a hash; null for everybody else. */
  guestOf: string | null
  /** Has shown the password or a code within the last minutes, in this session. */
  reAuthed: boolean
}

/** Owner of the key that was sent with a call. */
export interface KeyHolder {
  readonly userId: string
  readonly keyId: string
}

/** How a call shows who makes it; the features that keep sessions and keys bring these. All throw the ApiError of the refusal. */
export interface Authenticators {
  /** The caller of an access token. */
  callerOf(db: Kysely<Database>, token: string | string[] | undefined): Promise<Caller>
  /** Whether a call that goes on for long may go on. */
  stillLoggedIn(db: Kysely<Database>, caller: Caller): Promise<boolean>
  /** The owner of a user's API key. */
  keyHolderOf(db: Kysely<Database>, given: string | string[] | undefined, ip: string): Promise<KeyHolder>
  /** Refuses all but the key of the bridge that pushes market data. */
  needFeedKey(config: Pick<Config, 'feeds'>, given: string | string[] | undefined): void
}

/** Session that a token claims to be of; null when it is not shaped like one of ours. */
export function sessionIdOf(token: string): string | null {
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return null
  try {
    return uuidText(Buffer.from(token, 'base64url').subarray(0, 16))
  } catch {
    return null
  }
}
