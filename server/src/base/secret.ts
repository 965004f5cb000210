import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** SECRET_KEY, null where it is not set, and the data folder. */
interface Settings {
  readonly secretKey: string | null
  readonly dataDir: string
}

/**
 * A 256-bit key for one use, derived from the server's secret: SECRET_KEY, or the file `secret.key` of the data folder, which all
 * processes share. A dump of the database alone opens nothing that was sealed or peppered with it.
 */
export function keyFor(settings: Settings, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretOf(settings), '', `convexa ${use}`, 32))
}

/** AES-256-GCM under the key for `use`: nonce, tag, text. */
export function sealFor(settings: Settings, use: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(settings, use), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** null: not sealed by us, for another use, or changed since. @throws where our own secret cannot be read: that says nothing of what was sealed */
export function unsealFor(settings: Settings, use: string, sealed: Buffer): string | null {
  if (sealed.length < 28) return null
  const key = keyFor(settings, use)
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

const known = new Map<string, Buffer>()

function secretOf({ secretKey, dataDir }: Settings): Buffer {
  if (secretKey) return Buffer.from(secretKey)
  const found = known.get(dataDir)
  if (found) return found
  const secret = readOrMake(dataDir)
  known.set(dataDir, secret)
  return secret
}

/** Of several processes that make the file at once one wins, and all read its whole. */
function readOrMake(dataDir: string): Buffer {
  const file = join(dataDir, 'secret.key')
  try {
    return readSecret(file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true })
  const aside = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(aside, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(aside, file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
  return readSecret(file)
}

function readSecret(file: string): Buffer {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) throw new Error(`${file} holds no key`)
  return Buffer.from(secret)
}
