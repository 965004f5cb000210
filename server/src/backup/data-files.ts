/** Files of a site beside its database: in DATA_DIR (market, uploads, answers of sources), and objects of a store that is a folder. */
import { createHmac } from 'node:crypto'
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { flushFolder } from '../base/flush-folder.ts'
import { keyFor } from '../base/secret.ts'
import type { Config } from '../config/config.ts'
import { momentOfName, nameOfMoment } from './backup-info.ts'
import { type BackupPlace, DamagedPiece, getPiece, type Piece, putPiece } from './pieces.ts'
import { type SomeAtOnce, someAtOnce } from './some-at-once.ts'
import { unlessGone } from './unless-gone.ts'

/** Files are cut into so many bytes: of one that grew only its end is put again. */
const chunkBytes = 2 * 1024 * 1024

const listShape = z.object({
  at: z.string(),
  files: z.array(
    z.object({
      /** `data`: path in DATA_DIR; `store`: key in the object store. */
      root: z.enum(['data', 'store']),
      path: z.string(),
      bytes: z.number(),
      modified: z.number(),
      /** Files of one number are one file with several names. */
      file: z.number(),
      chunks: z.array(z.string()),
    }),
  ),
})
export type FileList = z.infer<typeof listShape>
type Entry = FileList['files'][number]

const listPrefix = 'files/'
const listKey = (at: Date): string => `${listPrefix}${nameOfMoment(at)}`
export const chunkKey = (name: string): string => `o/${name.slice(0, 2)}/${name}`

/** Entries of DATA_DIR that are no data: what PostgreSQL's own backup holds, what is made again, and the key, which is kept apart. */
const leftOut = /^(postgres.*|cache|outbox|rehearsal.*|secret\.key.*|convexa\.json.*|lost\+found)$/
const isAside = (name: string): boolean => name.startsWith('.') || name.endsWith('.part')

export type FilesDeps = BackupPlace & { readonly config: Pick<Config, 'dataDir' | 'store' | 'backup'> }

interface Found {
  readonly root: Entry['root']
  readonly path: string
  readonly at: string
}

/**
 * Puts what is new of all files, then the list of them; where nothing changed since `before`, no list.
 * @param chunks names that are among the backups
 */
export async function putFiles(
  { objects, secrets, config }: FilesDeps,
  before: { readonly list: FileList; readonly piece: Piece | null } | null,
  chunks: Set<string>,
): Promise<{ readonly list: FileList; readonly piece: Piece }> {
  const known = new Map(before?.list.files.map((entry) => [`${entry.root}/${entry.path}`, entry]))
  const numbers = new Map<string, number>()
  const done = new Map<number, Entry>()
  const files: Entry[] = []
  const began = new Date()
  for await (const { root, path, at } of filesOf(config)) {
    const its = await stat(at).catch(unlessGone)
    if (!its?.isFile()) continue
    const identity = `${its.dev}/${its.ino}`
    const number = numbers.get(identity) ?? numbers.size
    numbers.set(identity, number)
    const same = done.get(number)
    const old = known.get(`${root}/${path}`)
    const isOld = old && old.bytes === its.size && old.modified === its.mtimeMs && old.chunks.every((name) => chunks.has(name))
    const content = same ?? (isOld ? old : await putFile({ objects, secrets }, at, its.size, chunks))
    if (content === null) continue
    const entry = { root, path, bytes: content.bytes, modified: its.mtimeMs, file: number, chunks: content.chunks }
    done.set(number, entry)
    files.push(entry)
  }
  if (before?.piece && JSON.stringify(before.list.files) === JSON.stringify(files)) return { list: before.list, piece: before.piece }
  const list = { at: began.toISOString(), files }
  return { list, piece: await putPiece({ objects, secrets }, listKey(began), Buffer.from(JSON.stringify(list))) }
}

/** As many bytes as it had when it was looked at: what is appended meanwhile belongs to what is published next. */
async function putFile(
  place: BackupPlace,
  path: string,
  bytes: number,
  there: Set<string>,
): Promise<{ readonly bytes: number; readonly chunks: string[] } | null> {
  const file = await open(path, 'r').catch(unlessGone)
  if (!file) return null
  const { secrets } = place
  const key = keyFor(secrets, 'backup names')
  try {
    const chunks: string[] = []
    for (let at = 0; at < bytes; ) {
      const part = Buffer.alloc(Math.min(chunkBytes, bytes - at))
      const { bytesRead } = await file.read(part, 0, part.length, at)
      if (bytesRead < part.length) return null
      at += bytesRead
      const name = createHmac('sha256', key).update(part).digest('hex')
      if (!there.has(name)) await putPiece(place, chunkKey(name), part)
      there.add(name)
      chunks.push(name)
    }
    return { bytes, chunks }
  } finally {
    await file.close()
  }
}

async function* filesOf({ dataDir, store, backup }: FilesDeps['config']): AsyncGenerator<Found> {
  const others = [store, backup].flatMap((one) => (one?.address.kind === 'folder' ? [resolve(one.address.folder)] : []))
  for (const name of (await readdir(dataDir)).sort()) {
    if (!leftOut.test(name) && !isAside(name)) yield* below('data', dataDir, name, others)
  }
  if (store?.address.kind === 'folder') {
    for (const name of ['o', 'u']) yield* below('store', store.address.folder, name, [])
  }
}

async function* below(root: Found['root'], folder: string, path: string, others: readonly string[]): AsyncGenerator<Found> {
  const at = join(folder, path)
  if (others.includes(resolve(at))) return
  const its = await stat(at).catch(unlessGone)
  if (its?.isFile()) yield { root, path, at }
  if (!its?.isDirectory()) return
  for (const name of ((await readdir(at).catch(unlessGone)) ?? []).sort()) {
    if (!isAside(name)) yield* below(root, folder, `${path}/${name}`, others)
  }
}

/** Names of all chunks that are among the backups. */
export async function listChunks({ objects }: Pick<BackupPlace, 'objects'>): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const { key } of objects.list('o/')) names.add(key.slice(key.lastIndexOf('/') + 1))
  return names
}

/** Keys of all lists of files, the oldest first. */
export async function listLists({ objects }: Pick<BackupPlace, 'objects'>): Promise<readonly string[]> {
  const keys: string[] = []
  for await (const { key } of objects.list(listPrefix)) keys.push(key)
  return keys.sort()
}

export const momentOfList = (key: string): Date => momentOfName(key.slice(listPrefix.length))

/** @throws StartError where it is missing or damaged */
export async function readList(place: BackupPlace, key: string): Promise<FileList> {
  const bytes = await getPiece(place, key)
  if (bytes === null) throw new DamagedPiece(key, '不存在')
  return listShape.parse(JSON.parse(bytes.toString('utf8')))
}

/**
 * Writes files of a list below a folder; objects of a store go to `putObject`.
 * @param onDamage called for a file that cannot be restored; throws where that is not to be borne
 * @returns files and bytes
 */
export async function restoreFiles(
  place: BackupPlace,
  list: FileList,
  folder: string,
  putObject: (key: string, bytes: Buffer) => Promise<void>,
  onDamage: (path: string, error: DamagedPiece) => void,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const written = new Map<number, string>()
  const flushing = someAtOnce(16)
  const folders = new Set<string>()
  let bytes = 0
  for (const entry of list.files) {
    if (entry.path.startsWith('/') || entry.path.split('/').includes('..')) throw new DamagedPiece(entry.path, '不是合法的路径')
    try {
      if (entry.root === 'store') await putObject(entry.path, await contentOf(place, entry))
      else {
        const to = join(folder, entry.path)
        await mkdir(dirname(to), { recursive: true, mode: 0o700 })
        folders.add(dirname(to))
        const same = written.get(entry.file)
        if (same === undefined || !(await link(same, to).then(...always))) await writeFile(place, entry, to, flushing)
        written.set(entry.file, to)
      }
      bytes += entry.bytes
    } catch (error) {
      if (!(error instanceof DamagedPiece)) throw error
      if (entry.root === 'data') await rm(join(folder, entry.path), { force: true })
      onDamage(entry.path, error)
    }
  }
  await flushing.end()
  for (const one of folders) await flushFolder(one)
  return { files: list.files.length, bytes }
}

const always = [() => true, () => false] as const

async function writeFile(place: BackupPlace, entry: Entry, to: string, flushing: SomeAtOnce): Promise<void> {
  const file = await open(to, 'w', 0o600)
  try {
    for (const name of entry.chunks) await file.writeFile(await chunkOf(place, name))
  } catch (error) {
    await file.close()
    throw error
  }
  await flushing.add(async () => {
    try {
      await file.utimes(new Date(), new Date(entry.modified))
      await file.datasync()
    } finally {
      await file.close()
    }
  })
}

async function contentOf(place: BackupPlace, entry: Entry): Promise<Buffer> {
  const parts: Buffer[] = []
  for (const name of entry.chunks) parts.push(await chunkOf(place, name))
  return Buffer.concat(parts)
}

async function chunkOf(place: BackupPlace, name: string): Promise<Buffer> {
  const key = chunkKey(name)
  const bytes = await getPiece(place, key)
  if (bytes === null) throw new DamagedPiece(key, '不存在')
  return bytes
}
