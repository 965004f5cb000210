import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { compareVersions, programVersion } from '../base/program-version.ts'
import { everySecret, keyFor, keyIdOf, type SecretSettings } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { readObject, sha256Of } from '../store/read-object.ts'
import { type BackupPlace, DamagedPiece, foreignKey } from './pieces.ts'

const format = 1

const pieceShape = z.object({ key: z.string(), bytes: z.number().int(), sha256: z.string() })
const shape = z.object({
  format: z.literal(format),
  /** `20261120T190000Z`: when it began. */
  name: z.string(),
  program: z.string(),
  /** Major version of PostgreSQL. */
  postgres: z.number().int(),
  /** PostgreSQL's identifier of the database. */
  system: z.string(),
  timeline: z.number().int(),
  key_id: z.string(),
  began_at: z.string(),
  /** From here on it can be restored. */
  ended_at: z.string(),
  first_lsn: z.string(),
  last_lsn: z.string(),
  first_segment: z.string(),
  last_segment: z.string(),
  /** Bytes of the database's folder. */
  bytes: z.number(),
  pieces: z.array(pieceShape),
  /** The list of the files beside the database. */
  files: pieceShape,
  /** Rows by table. */
  rows: z.record(z.string(), z.number()),
})

export type BackupInfo = z.infer<typeof shape>

export const infoKey = (name: string): string => `base/${name}/backup.json`
export const backupFormat = format

/** `20261120T190000Z` */
export const nameOfMoment = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')
export const momentOfName = (name: string): Date =>
  new Date(name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** The last thing of a backup that is written: one without it does not exist. */
export async function putInfo({ objects, secrets }: BackupPlace, info: BackupInfo): Promise<void> {
  const text = JSON.stringify(info, null, 1)
  const bytes = Buffer.from(JSON.stringify({ info: text, mac: macOf(secrets, text).toString('hex') }))
  await objects.put(infoKey(info.name), bytes, sha256Of(bytes))
}

const macOf = (secrets: SecretSettings, text: string): Buffer => createHmac('sha256', keyFor(secrets, 'backup list')).update(text).digest()

/** Names of backups that ended, the newest first, and of those that did not. */
export async function listBackups({
  objects,
}: Pick<BackupPlace, 'objects'>): Promise<{ readonly whole: string[]; readonly partial: string[] }> {
  const whole = new Set<string>()
  const all = new Set<string>()
  for await (const { key } of objects.list('base/')) {
    const [, name = '', file] = key.split('/')
    all.add(name)
    if (file === 'backup.json') whole.add(name)
  }
  return { whole: [...whole].sort().reverse(), partial: [...all].filter((name) => !whole.has(name)).sort() }
}

/** @throws StartError where it is damaged, under another secret, or of a newer program */
export async function readInfo({ objects, secrets }: BackupPlace, name: string): Promise<BackupInfo> {
  const key = infoKey(name)
  const bytes = await readObject(objects, key)
  if (bytes === null) throw new DamagedPiece(key, '不存在')
  let outer: { info: string; mac: string }
  let inner: { format?: unknown; key_id?: unknown; program?: unknown }
  try {
    outer = JSON.parse(bytes.toString('utf8'))
    inner = JSON.parse(outer.info)
  } catch (error) {
    throw new DamagedPiece(key, '内容不符', error)
  }
  if (typeof inner.format === 'number' && inner.format > format)
    throw new StartError(`备份 ${name} 由更新的版本（${inner.program}）写成：请升级程序`)
  const owner = everySecret(secrets).find((one) => keyIdOf(one) === inner.key_id)
  if (!owner) throw typeof inner.key_id === 'string' ? foreignKey(inner.key_id) : new DamagedPiece(key, '内容不符')
  const mac = Buffer.from(String(outer.mac), 'hex')
  if (mac.length !== 32 || !timingSafeEqual(mac, macOf(owner, outer.info))) throw new DamagedPiece(key, '内容不符')
  return shape.parse(inner)
}

/** @throws StartError where this program, or its PostgreSQL, cannot open it */
export function requireUsable({ name, program, postgres }: BackupInfo, ownMajor: number): void {
  if (compareVersions(program, programVersion) > 0)
    throw new StartError(`备份 ${name} 由 ${program} 写成，本程序是 ${programVersion}：请升级程序`)
  if (postgres !== ownMajor)
    throw new StartError(`备份 ${name} 来自 PostgreSQL ${postgres}，本程序自带 ${ownMajor}：请用自带 PostgreSQL ${postgres} 的版本恢复`)
}
