import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** SECRET_KEY, null where it is not set, the data folder, and SECRET_KEY_OLD while the key is changed. */
export interface SecretSettings {
  readonly secretKey: string | null
  readonly dataDir: string
  readonly oldSecretKey: string | null
}

/**
 * A 256-bit key for one use, derived from the server's secret: SECRET_KEY, or the file `secret.key` of the data folder, which all
 * processes share. A dump of the database alone opens nothing that was sealed or peppered with it.
 */
export function keyFor(settings: SecretSettings, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretOf(settings), '', `convexa ${use}`, 32))
}

/** The keys that what is stored may be under, the present one first. */
export function keysFor(settings: SecretSettings, use: string): readonly Buffer[] {
  return everySecret(settings).map((one) => keyFor(one, use))
}

/** Names a secret without telling anything of it: eight hex digits. */
export const keyIdOf = (settings: SecretSettings): string =>
  createHash('sha256').update(keyFor(settings, 'key id')).digest('hex').slice(0, 8)

/** The settings once for each secret that what is stored may be under, the present one first. */
export const everySecret = (settings: SecretSettings): readonly SecretSettings[] =>
  settings.oldSecretKey === null ? [settings] : [settings, { ...settings, secretKey: settings.oldSecretKey }]

/** AES-256-GCM under the key for `use`: nonce, tag, text. */
export function sealFor(settings: SecretSettings, use: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(settings, use), nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** null: not sealed by us, for another use, or changed since. @throws where our own secret cannot be read: that says nothing of what was sealed */
export function unsealFor(settings: SecretSettings, use: string, sealed: Buffer): string | null {
  if (sealed.length < 28) return null
  for (const key of keysFor(settings, use)) {
    const text = unsealed(key, sealed)
    if (text !== null) return text
  }
  return null
}

function unsealed(key: Buffer, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** HMAC-SHA-256 of the parts, each followed by a line feed, under each of `keysFor`: what a stored index may be. */
export const digestsFor = (settings: SecretSettings, use: string, ...parts: readonly (string | Buffer)[]): readonly [Buffer, ...Buffer[]] =>
  keysFor(settings, use).map((key) => {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(part).update('\n')
    return hmac.digest()
  }) as [Buffer, ...Buffer[]]

/** Where the secret of a data folder stands that is not given one. */
export const secretFileOf = (dataDir: string): string => join(dataDir, 'secret.key')

const known = new Map<string, Buffer>()

function secretOf({ secretKey, dataDir }: SecretSettings): Buffer {
  if (secretKey) return Buffer.from(secretKey)
  const found = known.get(dataDir)
  if (found) return found
  const secret = readOrMake(dataDir)
  known.set(dataDir, secret)
  return secret
}

/** Of several processes that make the file at once one wins, and all read its whole. */
function readOrMake(dataDir: string): Buffer {
  const file = secretFileOf(dataDir)
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

/** The file of a data folder's secret, made where it is missing: a process that is given a DATABASE_URL is given it as SECRET_KEY_FILE. */
export function ensureSecretFile(dataDir: string): string {
  readOrMake(dataDir)
  return secretFileOf(dataDir)
}

/** Under another key every account would look unknown and second ones would be made; what others sealed would not open. */
export const foreignSecret = ({ secretKey, dataDir }: Pick<SecretSettings, 'secretKey' | 'dataDir'>): StartError =>
  new StartError(
    secretKey
      ? '环境变量 SECRET_KEY 不是这个数据库原来用的：请换回原来的'
      : `数据目录 ${dataDir} 里的 secret.key 不是这个数据库原来用的：请用原来的数据目录，或设置原来的 SECRET_KEY`,
  )
