import { isIPv6 } from 'node:net'
import { accountOf, isMobile } from '@convexa/contract/account'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../base/api-error.ts'
import { digestsFor, type SecretSettings, sealFor, unsealFor } from '../base/secret.ts'
import { networkOf, plainAddress } from '../http/address.ts'

/** Where a code can be sent to, and what an account is found by. `text` is in the one form in which it is compared. */
export interface Address {
  readonly kind: 'mobile' | 'email'
  readonly text: string
}

const email =
  /^(?=.{3,254}$)(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** A mainland mobile or an e-mail; null for anything else. */
export function addressOf(given: string): Address | null {
  const text = accountOf(given)
  if (isMobile(text)) return { kind: 'mobile', text }
  return email.test(text) ? { kind: 'email', text } : null
}

/** @throws ApiError 11006 */
export function readAddress(given: string, kind?: Address['kind']): Address {
  const address = addressOf(given)
  if (!address || (kind && address.kind !== kind)) throwApiError(errorCodes.invalidAddress)
  return address
}

/** `138****1234`, `wa***@example.cn`. */
export function maskedAddress({ kind, text }: Address): string {
  if (kind === 'mobile') return `${text.slice(0, 3)}****${text.slice(-4)}`
  const at = text.lastIndexOf('@')
  return `${text.slice(0, Math.min(2, at - 1))}***${text.slice(at)}`
}

/** What an address may be found by while the key is changed; the first is what is written. */
export const addressHashes = (secrets: SecretSettings, { text }: Address) => digestsFor(secrets, 'address', text)

/** What an address is found by: it can be compared, not read. */
export const addressHash = (secrets: SecretSettings, { text }: Address): Buffer => digest(secrets, 'address', text)

/** The same for all names of one mailbox (`li+1@…`): what limits count by. */
export const mailboxHash = (secrets: SecretSettings, { kind, text }: Address): Buffer =>
  digest(secrets, 'address', kind === 'email' ? text.replace(/\+[^@]*@/, '@') : text)

export const sealAddress = (secrets: SecretSettings, { text }: Address): Buffer => sealFor(secrets, 'address', text)

export const opensAddress = (secrets: SecretSettings, sealed: Buffer): boolean => unsealFor(secrets, 'address', sealed) !== null

/** @throws when it was sealed under another secret */
export function unsealAddress(secrets: SecretSettings, sealed: Buffer): Address {
  const address = addressOf(unsealFor(secrets, 'address', sealed) ?? '')
  if (!address) throw new Error('an address does not open: SECRET_KEY or secret.key is not the one it was sealed with')
  return address
}

/** Source of a request, as far as the network shows it: an IPv4 address, an IPv6 /64. */
export const sourceHash = (secrets: SecretSettings, ip: string): Buffer => {
  const plain = plainAddress(ip)
  return digest(secrets, 'source', isIPv6(plain) ? networkOf(plain) : plain)
}

/** HMAC-SHA-256 under a key of its own for each use. */
export const digest = (secrets: SecretSettings, use: string, ...parts: (string | Buffer)[]): Buffer => digestsFor(secrets, use, ...parts)[0]
