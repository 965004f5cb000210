import { randomBytes } from 'node:crypto'
import { hash as argonHash, verify as argonVerify, type Options } from '@node-rs/argon2'
import { fail } from '../http/fail.ts'
import { turns } from '../turns.ts'

// ASVS appendix C: 47,104 KiB, one pass, one lane (D10); argon2id is the library's default kind.
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 } satisfies Options
const mostAtOnce = 2
const mostWaiting = 64

/** A hash takes 46 MB. */
const inTurn = turns({ atOnce: mostAtOnce, waiting: mostWaiting, full: 50302 })

let loggingIn = 0

/**
 * Takes in as many logins at once as there are places at the hashes; the next hears 50302 before anything is done for it, so that a
 * burst takes neither the database nor the answers of other calls.
 */
export async function admitLogin<T>(login: () => Promise<T>): Promise<T> {
  if (loggingIn >= mostAtOnce + mostWaiting) fail(50302)
  loggingIn++
  try {
    return await login()
  } finally {
    loggingIn--
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => argonHash(password, cost))

/**
 * Whether the password belongs to the stored hash. With no hash (unknown account, or one without a password) the same work is done
 * on a made-up one, so that the time says nothing about who is registered.
 */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const right = await inTurn(() => argonVerify(stored ?? nobodysHash, password))
  return right && stored !== null
}

/** As a hash is written (PHC), of random bytes: to check against it is the same work, and it costs no start of a process anything. */
const nobodysHash = (({ memoryCost, timeCost, parallelism }) => {
  const [salt, hash] = [16, 32].map((bytes) => randomBytes(bytes).toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`
})(cost)
