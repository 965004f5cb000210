import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { parse as uuidBytes } from 'uuid'

/**
 * Opaque tokens: base64url of the session's id (16 bytes) and a secret of 256 bits. The id only finds the row;
 * what is stored is the SHA-256 of the whole token, so a reader of the database holds no usable one.
 */
export function newToken(sessionId: string): string {
  return Buffer.concat([uuidBytes(sessionId), randomBytes(32)]).toString('base64url')
}

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export const sameHash = (a: Buffer, b: Buffer | null): boolean => b !== null && a.length === b.length && timingSafeEqual(a, b)

/** Encrypts under a key that only the holder of `secret` can derive (HKDF, AES-256-GCM): nonce, tag, text. */
export function seal(text: string, secret: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws when `secret` is not the one it was sealed with */
export function unseal(sealed: Buffer, secret: string): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

const keyOf = (secret: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'convexa session successor', 32))
