/**
 * Whether this api can serve, for a supervisor or a load balancer (`/readyz`). Each reason against it has a code and a sentence; the first
 * that holds is said.
 */
import { statfs } from 'node:fs/promises'
import { type Kind, kinds } from '@convexa/contract'
import { pendingMigrations } from '../db/migrate.ts'
import { readManifest } from '../market/manifest.ts'
import { readOnce } from '../market/read-once.ts'
import { readDates, readSecurities } from '../market/read-store.ts'
import { newestSnapshot, type Snapshot, snapshotPath } from '../market/snapshot.ts'
import type { World } from '../world.ts'

export const notReadyReasons = {
  schema: '数据库还没有升级',
  no_market: '还没有行情数据',
  market_unreadable: '行情数据无法读取',
  no_worker: '没有可用的计算进程',
  disk: '磁盘空间不足',
} as const
export type NotReadyReason = keyof typeof notReadyReasons

export interface Readiness {
  /** Empty: ready. */
  readonly reasons: readonly NotReadyReason[]
  readonly workers: number
  /** The data version in use; null where a market was never published. */
  readonly markets: Readonly<Record<Kind, string | null>>
}

/** Below so much the database and the market store can no longer be written to. */
export const leastFreeBytes = 200 * 1024 * 1024

/** Bytes that are free where a folder lies; null where the system does not say. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    return null
  }
}

/** @throws the database's error when it does not answer */
export function readinessOf({ db, config, compute, damage }: World): () => Promise<Readiness> {
  let migrated = false
  const readable = readOnce<true>(4)

  /** null: never published; false: what is published cannot be read. */
  const stateOf = async (kind: Kind): Promise<Snapshot | null | false> => {
    const snapshot = await newestSnapshot(db, kind)
    if (snapshot === null) return (await isPublished(kind)) ? false : null
    try {
      await readable(snapshot.folder, () => readWhole(config.dataDir, snapshot))
      return snapshot
    } catch (error) {
      await damage.suspectError(error)
      return false
    }
  }
  const isPublished = async (kind: Kind) =>
    (await db.selectFrom('market_snapshot').select('id').where('kind', '=', kind).limit(1).executeTakeFirst()) !== undefined

  return async () => {
    migrated ||= (await pendingMigrations(db)).length === 0
    if (!migrated) return { reasons: ['schema'], workers: 0, markets: { cb: null, stk: null } }
    const [states, workers, free] = await Promise.all([
      Promise.all(kinds.map(async (kind) => [kind, await stateOf(kind)] as const)),
      compute.workers(),
      freeBytes(config.dataDir),
    ])
    const found: readonly [NotReadyReason, boolean][] = [
      ['no_market', states.every(([, state]) => state === null)],
      ['market_unreadable', states.some(([, state]) => state === false)],
      ['no_worker', workers === 0],
      ['disk', config.isSingleMachine && free !== null && free < leastFreeBytes],
    ]
    return {
      reasons: found.filter(([, holds]) => holds).map(([reason]) => reason),
      workers,
      markets: Object.fromEntries(states.map(([kind, state]) => [kind, state ? state.dataVersion : null])) as Record<Kind, string | null>,
    }
  }
}

async function readWhole(dataDir: string, snapshot: Snapshot): Promise<true> {
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder, snapshot.manifestSha256)
  await Promise.all([readSecurities(folder, manifest), readDates(folder, manifest)])
  return true
}
