/** Keeps the cache of a worker: the newest snapshots are fetched when they are published, and what was not used for long makes room. */
import { type Kysely, sql } from 'kysely'
import type { CacheSettings } from '../config/config.ts'
import { sessionOf } from '../db/connect.ts'
import { lives } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { bytesIn, cacheLimit, checkCache, claimCache, evict } from '../store/cache.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { sweep } from './snapshot.ts'

export interface CacheDeps {
  readonly db: Kysely<Database>
  readonly dataDir: string
  readonly store: SnapshotStore
  readonly cache: CacheSettings
  /** Row of the worker in the table `process`. */
  readonly processId: string
  readonly log: (event: string, details: Record<string, unknown>) => void
}

export interface SnapshotCache {
  /** Bytes that it takes. */
  bytes(): number
  close(): Promise<void>
}

/** NOTIFY may be lost. */
const lookEveryMs = 30_000
/** Of each kind so many stay: the one in use, and the newest, which comes into use when it is here. */
const keptOfKind = 2

/** Before the worker is announced. @throws StartError another living process has the folder, or it has no room */
export const requireCache = (db: Kysely<Database>, { folder }: CacheSettings): Promise<void> => checkCache(folder, (id) => isAlive(db, id))

/** @throws StartError as `requireCache`: another process may have been quicker */
export async function keepCache({ db, dataDir, store, cache, processId, log }: CacheDeps): Promise<SnapshotCache> {
  await claimCache(cache.folder, processId, (id) => isAlive(db, id))
  // What a worker left that was killed while it fetched counts as taken, and eviction knows nothing of it.
  const sweeping = sweep(db, dataDir).catch((error: unknown) => log('cache not swept', { err: error }))
  const mostBytes = await cacheLimit(cache.folder, cache.megabytes)
  let bytes = 0
  let isClosed = false
  let looking: Promise<void> = Promise.resolve()

  // A disk that is full before the cache is: a quarter makes room.
  store.onFull(async () => {
    const before = await bytesIn(store.marketFolder)
    const keep = new Set((await newestFolders(db)).map(({ folder }) => folder))
    bytes = await evict({ marketFolder: store.marketFolder, mostBytes: 0.75 * before, keep, lastUse: store.lastUse })
    log('no space for a snapshot: older ones were thrown away', { before, after: bytes })
  })

  const look = async (): Promise<void> => {
    if (isClosed) return
    const newest = await newestFolders(db)
    for (const { folder, place } of newest) if (place === 1 && !isClosed) await store.ensureLocal(folder)
    const keep = new Set(newest.map(({ folder }) => folder))
    bytes = await evict({ marketFolder: store.marketFolder, mostBytes, keep, lastUse: store.lastUse })
  }
  const lookSoon = () => {
    looking = looking.then(look).catch((error: unknown) => log('snapshots not fetched', { err: error }))
  }
  const notices = await sessionOf(db).listen('market_snapshot', lookSoon, lookSoon)
  const timer = setInterval(lookSoon, lookEveryMs)
  lookSoon()
  return {
    bytes: () => bytes,
    async close() {
      isClosed = true
      clearInterval(timer)
      await notices.close()
      await Promise.all([looking, sweeping])
    },
  }
}

async function newestFolders(db: Kysely<Database>): Promise<{ folder: string; place: number }[]> {
  const { rows } = await sql<{ folder: string; place: number }>`
    select folder, place::int from (
      select folder, row_number() over (partition by kind, data_mode = 'demo' order by published_at desc, id desc) as place
      from market_snapshot where damaged_at is null
    ) ranked where place <= ${keptOfKind} order by place`.execute(db)
  return rows
}

async function isAlive(db: Kysely<Database>, processId: string): Promise<boolean> {
  if (!/^[0-9a-f-]{36}$/.test(processId)) return false
  const row = await db.selectFrom('process as p').select('p.id').where('p.id', '=', processId).where(lives('p')).executeTakeFirst()
  return row !== undefined
}
