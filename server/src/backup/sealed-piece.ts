/**
 * A piece of a backup under the site's secret:
 *
 *     "CVXB", format (1 byte), key id (4 bytes), salt (16 bytes), frames
 *     frame: length of its text (uint32, big-endian; the highest bit marks the last one), text, tag (16 bytes)
 *
 * Frames hold 1 MiB of text under AES-256-GCM, their number as nonce. The key is of the piece's name and its salt, so that two pieces never
 * share one, even if one name is written twice. The head of each frame is authenticated with it: no frame can be left out, and the end
 * cannot be cut off.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { everySecret, keyFor, keyIdOf, type SecretSettings } from '../base/secret.ts'

const magic = Buffer.from('CVXB')
const format = 1
const headBytes = 25
const frameBytes = 1024 * 1024
const tagBytes = 16
const lastBit = 0x8000_0000

/** Why a piece does not open. */
export class PieceError extends Error {
  readonly kind: 'damaged' | 'newer' | 'foreign'
  /** Of the secret that it is under, where it is another one. */
  readonly keyId: string

  constructor(kind: PieceError['kind'], keyId = '') {
    super(`a piece of a backup is ${kind}`)
    this.kind = kind
    this.keyId = keyId
  }
}

/** `name`: where it is put; it opens under this name only. */
export function sealPiece(secrets: SecretSettings, name: string, text: Uint8Array): Buffer {
  const salt = randomBytes(16)
  const key = keyFor(secrets, useOf(name, salt))
  const parts: Buffer[] = [magic, Buffer.from([format]), Buffer.from(keyIdOf(secrets), 'hex'), salt]
  const frames = Math.max(1, Math.ceil(text.byteLength / frameBytes))
  for (let frame = 0; frame < frames; frame++) {
    const from = frame * frameBytes
    const clear = text.subarray(from, from + frameBytes)
    const head = Buffer.alloc(4)
    head.writeUInt32BE((clear.byteLength | (frame === frames - 1 ? lastBit : 0)) >>> 0)
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(frame)).setAAD(head)
    parts.push(head, cipher.update(clear), cipher.final(), cipher.getAuthTag())
  }
  return Buffer.concat(parts)
}

/** @throws PieceError */
export function openPiece(secrets: SecretSettings, name: string, sealed: Buffer): Buffer {
  if (sealed.length < headBytes || !sealed.subarray(0, 4).equals(magic)) throw new PieceError('damaged')
  if (sealed[4] !== format) throw new PieceError('newer')
  const keyId = sealed.toString('hex', 5, 9)
  const owner = everySecret(secrets).find((one) => keyIdOf(one) === keyId)
  if (!owner) throw new PieceError('foreign', keyId)
  const key = keyFor(owner, useOf(name, sealed.subarray(9, headBytes)))
  const parts: Buffer[] = []
  for (let at = headBytes, frame = 0; ; frame++) {
    if (at + 4 > sealed.length) throw new PieceError('damaged')
    const head = sealed.subarray(at, at + 4)
    const word = head.readUInt32BE()
    const isLast = word >= lastBit
    const end = at + 4 + (isLast ? word - lastBit : word)
    if (end + tagBytes > sealed.length) throw new PieceError('damaged')
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(frame)).setAAD(head)
      decipher.setAuthTag(sealed.subarray(end, end + tagBytes))
      parts.push(decipher.update(sealed.subarray(at + 4, end)), decipher.final())
    } catch {
      throw new PieceError('damaged')
    }
    at = end + tagBytes
    if (!isLast) continue
    if (at !== sealed.length) throw new PieceError('damaged')
    return Buffer.concat(parts)
  }
}

const useOf = (name: string, salt: Buffer): string => `backup ${name} ${salt.toString('hex')}`

function nonceOf(frame: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(frame, 8)
  return nonce
}
