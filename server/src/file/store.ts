import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { lockThere, markAbsent } from '../store/catalogue.ts'
import { StoreError } from '../store/object-store.ts'
import { putObjects } from '../store/put-objects.ts'
import { readVerified } from '../store/read-object.ts'
import { type SnapshotStore, snapshotStoreOf } from '../store/snapshot-store.ts'
import { inTime, throwStoreAway } from '../store/store-away.ts'

/** A row of `file` that is about to be written, with where its bytes lie. */
interface NewFile {
  readonly id: string
  readonly user_id: string
  readonly upload_id: string
  readonly name: string
  readonly mime: string
  readonly size: number
}

/** Where bytes of files are kept, by names that we make: in DATA_DIR/files, or in the object store under `u/`. */
export interface FileStore {
  /** Bytes and row: a row never names what is not there. Bytes without a row are swept. @throws ApiError 50301 the store is away */
  add(db: Kysely<Database>, file: NewFile, bytes: Uint8Array): Promise<void>
  /** null: there is none. @throws ApiError 50301 the store is away */
  get(db: Kysely<Database>, name: string): Promise<Buffer | null>
  /** Of a file whose row is deleted. */
  remove(name: string): Promise<void>
  /** Names of all in DATA_DIR/files that is older than so many milliseconds; what was not written to its end is thrown away on the way. */
  olderThan(ms: number): AsyncIterable<string>
}

/** 128 random bits and what it is. */
export const newName = (extension: string): string => `${randomBytes(16).toString('hex')}.${extension}`

export const nameShape = /^[0-9a-f]{32}\.webp$/

const keyOf = (name: string): string => `u/${name.slice(0, 2)}/${name}`

/** The files of a data folder, `DATA_DIR/files/ab/abcd….webp`, and those that the object store has where there is one. */
export function fileStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files')
  const folderOf = (name: string) => join(root, name.slice(0, 2))
  const local = (name: string) => unlessMissing(readFile(join(folderOf(name), name)))
  const shared = () => snapshotStoreOf(dataDir)
  return {
    async add(db, file, bytes) {
      const store = shared()
      if (store) return addShared(store, db, file, bytes)
      await writeAside(folderOf(file.name), file.name, bytes)
      await db.insertInto('file').values(file).execute()
    },
    async get(db, name) {
      const store = shared()
      if (!store) return local(name)
      const row = await db.selectFrom('file').select(['key', 'sha256']).where('name', '=', name).executeTakeFirst()
      if (!row) return null
      return (row.key && row.sha256 && (await readShared(store, row.key, row.sha256))) || local(name)
    },
    remove: (name) => rm(join(folderOf(name), name), { force: true }),
    async *olderThan(ms) {
      for (const folder of (await unlessMissing(readdir(root))) ?? []) {
        for (const name of (await unlessMissing(readdir(join(root, folder)))) ?? []) {
          const found = await unlessMissing(stat(join(root, folder, name)))
          if (!found || Date.now() - found.mtimeMs <= ms) continue
          if (nameShape.test(name)) yield name
          else await rm(join(root, folder, name), { force: true })
        }
      }
    },
  }
}

async function addShared(store: SnapshotStore, db: Kysely<Database>, file: NewFile, bytes: Uint8Array): Promise<void> {
  const key = keyOf(file.name)
  await inTime(putObjects(store, [{ key, bytes: bytes.length, read: async () => bytes }])).catch(throwStoreAway)
  await db.transaction().execute(async (transaction) => {
    if ((await lockThere(transaction, [key])).length > 0) throwStoreAway(new StoreError('unreachable', `taken away: ${key}`))
    const sha256 = createHash('sha256').update(bytes).digest()
    await transaction
      .insertInto('file')
      .values({ ...file, key, sha256 })
      .execute()
  })
}

/** null: the stored copy is gone or damaged. */
const readShared = ({ objects }: SnapshotStore, key: string, sha256: Buffer): Promise<Buffer | null> =>
  inTime(readVerified(objects, key, sha256.toString('hex'))).catch((error: unknown) => {
    if (error instanceof StoreError && error.kind === 'different') return null
    return throwStoreAway(error)
  })

/** Copies the files that lie in DATA_DIR, and not in the store, into it. They stay where they are. @returns how many */
export async function copyFiles(store: Pick<SnapshotStore, 'db' | 'objects'>, dataDir: string): Promise<number> {
  const rows = await store.db.selectFrom('file').select(['id', 'name', 'key']).execute()
  let copied = 0
  for (const { id, name, key: bound } of rows) {
    if (bound !== null && (await store.objects.head(bound))) continue
    const bytes = await unlessMissing(readFile(join(dataDir, 'files', name.slice(0, 2), name)))
    if (!bytes) continue
    const key = keyOf(name)
    await markAbsent(store.db, key)
    await putObjects(store, [{ key, bytes: bytes.length, read: async () => bytes }])
    copied += await store.db.transaction().execute(async (transaction) => {
      if ((await lockThere(transaction, [key])).length > 0) return 0
      const sha256 = createHash('sha256').update(bytes).digest()
      return Number((await transaction.updateTable('file').set({ key, sha256 }).where('id', '=', id).executeTakeFirst()).numUpdatedRows)
    })
  }
  return copied
}

async function writeAside(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const aside = join(folder, `.${name}.part`)
  const file = await open(aside, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
    await file.close()
    await rename(aside, join(folder, name))
  } catch (error) {
    await file.close().catch(() => {})
    await rm(aside, { force: true })
    throw error
  }
}

const unlessMissing = <T>(read: Promise<T>): Promise<T | null> =>
  read.catch((error: { code?: string }) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  })
