/**
 * Snapshots of a process where `STORE_URL` is set: published into the object store, read out of it into memory, or laid out as a folder of
 * this machine's cache for who computes on them. Without `STORE_URL` there is none, and the folder of DATA_DIR is all there is.
 */
import { randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Kysely, sql, type Transaction } from 'kysely'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import type { Database } from '../db/tables.ts'
import { claim, lockThere, markAbsent } from './catalogue.ts'
import { composeFolder, type LocalBase } from './compose-folder.ts'
import { type ObjectStore, StoreError, type StoreTrouble } from './object-store.ts'
import { type NewObject, putObjects } from './put-objects.ts'
import { readVerified } from './read-object.ts'
import { hashOf, keysOf, planUpload, type StoreManifest, textObject } from './store-manifest.ts'

/** A folder that is in the store and can be published under its name. */
export interface Uploaded {
  readonly folder: string
  /** Of the store manifest. */
  readonly storeKey: string
  readonly keys: readonly string[]
}

export interface SnapshotStore {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  /** Where folders of snapshots lie on this machine. */
  readonly marketFolder: string
  /**
   * The folder of a snapshot, fetched where it is not here. `afresh`: what is here is wrong and is thrown away.
   * @throws StoreError
   */
  ensureLocal(folder: string, afresh?: boolean): Promise<string>
  /** A file of a snapshot, verified; null: the snapshot is not in the store, or has no such file. @throws BrokenSnapshot */
  read(folder: string, name: string): Promise<Buffer | null>
  /** Puts a whole folder into the store under the name that it will have. `base`: name of the snapshot that it goes on from. */
  upload(
    aside: string,
    folder: string,
    files: Readonly<Record<string, { bytes: number; crc32: number }>>,
    base: string | null,
  ): Promise<Uploaded>
  /** What was wrong when a folder was fetched last; null: it was not, or came. `full`: no space is left on this machine. */
  trouble(): StoreTrouble | null
  /** Called when a folder finds no space, before it is fetched once more. */
  onFull(makeRoom: () => Promise<unknown>): void
  /** When a folder of this machine was last asked for, in milliseconds; 0: not by this process. */
  lastUse(folder: string): number
}

interface StoreDeps {
  readonly db: Kysely<Database>
  readonly objects: ObjectStore
  readonly marketFolder: string
}

/** Most that files in memory may take, for processes that keep none. */
const memoryBytes = 64 << 20
const mostManifests = 16

export function snapshotStore({ db, objects, marketFolder }: StoreDeps): SnapshotStore {
  const manifests = new Map<string, Promise<StoreManifest | null>>()
  const memory = new Map<string, Buffer>()
  const flights = new Map<string, Promise<string>>()
  const used = new Map<string, number>()
  let trouble: StoreTrouble | null = null
  let makeRoom: (() => Promise<unknown>) | null = null

  const manifestOf = (folder: string): Promise<StoreManifest | null> => {
    const found = manifests.get(folder) ?? readStoreManifest(db, objects, folder)
    manifests.delete(folder)
    manifests.set(folder, found)
    for (const old of [...manifests.keys()].slice(0, -mostManifests)) manifests.delete(old)
    // One that is not published yet may be in a moment.
    found.then(
      (manifest) => manifest ?? manifests.delete(folder),
      () => manifests.delete(folder),
    )
    return found
  }

  const object = async (key: string): Promise<Buffer> => {
    const known = memory.get(key)
    const bytes = known ?? (await readVerified(objects, key, hashOf(key)))
    if (!bytes) throw new StoreError('different', `not there: ${key}`)
    memory.delete(key)
    memory.set(key, bytes)
    let sum = 0
    for (const each of memory.values()) sum += each.length
    for (const [old, each] of memory) {
      if (sum <= memoryBytes || old === key) break
      memory.delete(old)
      sum -= each.length
    }
    return bytes
  }

  /** The stored copy itself is wrong: nobody reads the snapshot any more, and the next publication of the same bytes puts them again. */
  const damaged = async (folder: string, error: StoreError): Promise<void> => {
    await sql`update market_snapshot set damaged_at = now(), damage = ${error.message} where folder = ${folder} and damaged_at is null`.execute(
      db,
    )
    const rows = await sql<{ key: string }>`
      select o.key from snapshot_object o join market_snapshot m on m.id = o.snapshot_id where m.folder = ${folder}`.execute(db)
    for (const { key } of rows.rows) if (await isWrong(key)) await markAbsent(db, key)
  }

  const isWrong = async (key: string): Promise<boolean> => {
    try {
      return (await readVerified(objects, key, hashOf(key))) === null
    } catch (error) {
      // One that cannot be reached now is not known to be wrong.
      return error instanceof StoreError && error.kind === 'different'
    }
  }

  /** Tells of a damaged copy, and throws on. */
  const said = async (folder: string, error: unknown): Promise<never> => {
    if (error instanceof StoreError && error.kind === 'different') await damaged(folder, error)
    throw error
  }

  const compose = async (folder: string, afresh: boolean): Promise<string> => {
    const path = join(marketFolder, folder)
    if (afresh) await rm(path, { recursive: true, force: true })
    else if (await isThere(join(path, 'manifest.json'))) return path
    const manifest = await manifestOf(folder).catch((error: unknown) => said(folder, error))
    // Published before there was a store: its readers say that it is not here.
    if (!manifest) return path
    await mkdir(marketFolder, { recursive: true })
    const aside = join(marketFolder, asideName())
    await mkdir(aside)
    try {
      const base = afresh ? null : await localBase(folder)
      await composeFolder(objects, aside, manifest, base)
      // A folder without its manifest is not whole.
      if (!(await isThere(join(path, 'manifest.json')))) {
        await rm(path, { recursive: true, force: true })
        await rename(aside, path).catch((error: NodeJS.ErrnoException) => {
          // Another process of this machine was first.
          if (!['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error
        })
      }
      return path
    } catch (error) {
      return await said(folder, error)
    } finally {
      await rm(aside, { recursive: true, force: true })
    }
  }

  const fetch = async (folder: string, afresh: boolean): Promise<string> => {
    try {
      const path = await compose(folder, afresh).catch(async (error: unknown) => {
        if (!isFull(error) || !makeRoom) throw error
        await makeRoom()
        return compose(folder, afresh)
      })
      trouble = null
      return path
    } catch (error) {
      const failure = isFull(error) ? new StoreError('full', (error as Error).message, { cause: error }) : error
      if (failure instanceof StoreError) trouble = failure.kind
      throw failure
    }
  }

  /** The newest other folder of the same kind that is here and in the store. */
  const localBase = async (folder: string): Promise<LocalBase | null> => {
    const kind = kindOf(folder)
    const names = (await readdir(marketFolder)).filter((name) => name !== folder && kindOf(name) === kind)
    const found = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(marketFolder, name, 'manifest.json')).catch(() => null))?.mtimeMs })),
    )
    const newest = found.filter(({ at }) => at !== undefined).sort((a, b) => b.at! - a.at!)
    for (const { name } of newest.slice(0, 3)) {
      const manifest = await manifestOf(name).catch(() => null)
      if (manifest) return { folder: join(marketFolder, name), files: manifest.files }
    }
    return null
  }

  return {
    ...{ db, objects, marketFolder },
    async ensureLocal(folder, afresh = false) {
      used.set(folder, Date.now())
      const path = join(marketFolder, folder)
      const known = flights.get(folder)
      if (known) return known
      if (!afresh && (await isThere(join(path, 'manifest.json')))) {
        const now = new Date()
        await utimes(path, now, now).catch(() => {})
        return path
      }
      const flight = flights.get(folder) ?? fetch(folder, afresh).finally(() => flights.delete(folder))
      flights.set(folder, flight)
      return flight
    },
    async read(folder, name) {
      try {
        const manifest = await manifestOf(folder)
        if (!manifest) return null
        if (name === 'manifest.json') return await object(manifest.manifest)
        const parts = manifest.files[name]?.parts
        if (!parts) return null
        const bytes: Buffer[] = []
        for (const part of parts) bytes.push((await object(part.key)).subarray(part.at, part.at + part.bytes))
        return bytes.length === 1 ? bytes[0]! : Buffer.concat(bytes)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error.kind === 'different') await damaged(folder, error)
        throw new BrokenSnapshot(`object store: ${error.message}`, join(marketFolder, folder, name))
      }
    },
    async upload(aside, folder, files, base) {
      const before = base === null ? null : await manifestOf(base)
      let plan = await planUpload(aside, files, before)
      const reused = new Map<string, number>()
      const own = new Set(plan.objects.map(({ key }) => key))
      for (const { parts } of Object.values(plan.files))
        for (const { key, at, bytes } of parts) if (!own.has(key)) reused.set(key, Math.max(reused.get(key) ?? 0, at + bytes))
      const absent = await claim(
        db,
        [...reused].map(([key, bytes]) => ({ key, bytes })),
      )
      // What stood there is not sure to be there any more: all of it is put again.
      if (absent.size > 0) plan = await planUpload(aside, files, null)
      const text = textObject(await readFile(join(aside, 'manifest.json')))
      const deps = { db, objects }
      await putObjects(deps, [...plan.objects, text], [...reused.keys()])
      const manifest: StoreManifest = { format: 1, snapshot: folder, manifest: text.key, files: plan.files }
      const own2: NewObject = textObject(JSON.stringify(manifest))
      await putObjects(deps, [own2], [...keysOf(manifest)])
      if (!(await readVerified(objects, own2.key, hashOf(own2.key)))) throw new StoreError('different', `not there: ${own2.key}`)
      return { folder, storeKey: own2.key, keys: [own2.key, ...keysOf(manifest)] }
    },
    trouble: () => trouble,
    onFull(make) {
      makeRoom = make
    },
    lastUse: (folder) => used.get(folder) ?? 0,
  }
}

/**
 * Binds a published row to its objects, in the transaction that makes it: all of them are there, and stay.
 * @throws StoreError one was taken away meanwhile
 */
export async function bindObjects(transaction: Transaction<Database>, snapshotId: string, { storeKey, keys }: Uploaded): Promise<void> {
  const gone = await lockThere(transaction, keys)
  if (gone.length > 0) throw new StoreError('unreachable', `taken away before it was published: ${gone[0]}`)
  await transaction.updateTable('market_snapshot').set({ store_key: storeKey }).where('id', '=', snapshotId).execute()
  await sql`insert into snapshot_object (snapshot_id, key) select ${snapshotId}::uuid, unnest(${keys}::text[])`.execute(transaction)
}

async function readStoreManifest(db: Kysely<Database>, objects: ObjectStore, folder: string): Promise<StoreManifest | null> {
  const row = await db.selectFrom('market_snapshot').select('store_key').where('folder', '=', folder).executeTakeFirst()
  if (!row?.store_key) return null
  const bytes = await readVerified(objects, row.store_key, hashOf(row.store_key))
  if (!bytes) throw new StoreError('different', `not there: ${row.store_key}`)
  const manifest = JSON.parse(bytes.toString()) as StoreManifest
  if (manifest.format !== 1) throw new BrokenSnapshot(`unknown format ${manifest.format} of the store manifest`, folder)
  return manifest
}

const stores = new Map<string, SnapshotStore>()

/** From now on snapshots of a data folder lie in a store. @returns ends it */
export function useSnapshotStore(dataDir: string, store: SnapshotStore): () => void {
  stores.set(dataDir, store)
  return () => {
    if (stores.get(dataDir) === store) stores.delete(dataDir)
  }
}

/** null: snapshots are folders of the data folder. */
export const snapshotStoreOf = (dataDir: string): SnapshotStore | null => stores.get(dataDir) ?? null

/** A file of a snapshot that is not on this machine; null: it is in no store. @throws BrokenSnapshot */
export async function readRemote(path: string): Promise<Buffer | null> {
  const market = dirname(dirname(path))
  for (const store of stores.values()) if (store.marketFolder === market) return store.read(basename(dirname(path)), basename(path))
  return null
}

/** `cb`, `demo-cb`, …: what stands before the day in a folder's name. */
const kindOf = (folder: string): string | null => /^((?:demo-)?[a-z]+)-\d{8}-/.exec(folder)?.[1] ?? null

/** As `openAside` of the market names them: what is abandoned is swept. */
export const asideName = (): string => `.aside-${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
