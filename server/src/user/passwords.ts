import { randomBytes } from 'node:crypto'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { hash as argonHash, verify as argonVerify, type Options } from '@node-rs/argon2'
import type { Kysely } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import { createSemaphore } from '../base/semaphore.ts'
import type { Database } from '../db/tables.ts'

// ASVS appendix C: 47,104 KiB, one pass, one lane (D10); argon2id is the library's default kind.
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 } satisfies Options

const turnsOf = (atOnce: number, waiting: number) => ({
  places: atOnce + waiting,
  inTurn: createSemaphore({ atOnce, waiting, full: errorCodes.tooManyLogins }),
})
/** A hash takes 46 MB. */
let turns = turnsOf(2, 64)

/** Limits of this process, set before its first login. */
export function limitPasswords({ atOnce, waiting }: { readonly atOnce: number; readonly waiting: number }): void {
  turns = turnsOf(atOnce, waiting)
}

let loggingIn = 0

/**
 * Takes in as many logins at once as there are places at the hashes; further ones get 50302 before anything is done for them, so that a
 * burst takes neither the database nor the answers of other calls.
 */
export async function admitLogin<T>(login: () => Promise<T>): Promise<T> {
  if (loggingIn >= turns.places) throwApiError(errorCodes.tooManyLogins)
  loggingIn++
  try {
    return await login()
  } finally {
    loggingIn--
  }
}

/**
 * One form of a text that keyboards and input methods write in several: composed or not, full width or half (NIST SP 800-63B 3.1.1.2: NFKC
 * before hashing). Nothing is trimmed.
 */
const inOneForm = (password: string): string => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => turns.inTurn(() => argonHash(inOneForm(password), cost))

export interface Checked {
  readonly right: boolean
  /** For the store, where the hash there is of the password as it was typed once: one of its normal form. */
  readonly renewed: string | null
}

/**
 * Whether the password belongs to the stored hash: in its normal form, or as it came, which is what older hashes are of. With no hash (unknown
 * account, or one without a password) the same work is done on a made-up one, so that the time says nothing about who is registered.
 */
export async function checkPassword(password: string, stored: string | null): Promise<Checked> {
  const hash = stored ?? nobodysHash
  const plain = inOneForm(password)
  const form = await turns.inTurn(async () => {
    if (await argonVerify(hash, plain)) return 'normal'
    return plain !== password && (await argonVerify(hash, password)) ? 'typed' : null
  })
  const right = form !== null && stored !== null
  return { right, renewed: right && form === 'typed' ? await hashPassword(password) : null }
}

/** Keeps a renewed hash, unless another password was set meanwhile. */
export async function renewHash(db: Kysely<Database>, userId: string, stored: string | null, renewed: string | null): Promise<void> {
  if (renewed === null) return
  await db.updateTable('app_user').set({ password_hash: renewed }).where('id', '=', userId).where('password_hash', '=', stored).execute()
}

/** As a hash is written (PHC), of random bytes: to check against it is the same work, and it costs no start of a process anything. */
const nobodysHash = (({ memoryCost, timeCost, parallelism }) => {
  const [salt, hash] = [16, 32].map((bytes) => randomBytes(bytes).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`
})(cost)
