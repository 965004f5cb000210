/**
 * Which published snapshot this process answers from. A new one comes into use in steps: it is published, a worker has it whole, and then the
 * apis take it up, each when it can read it itself. Until then they answer from the one before.
 */

import { marketIds } from '@convexa/contract/enums/market'
import { type Kysely, sql } from 'kysely'
import { BrokenSnapshot } from '../base/broken-snapshot.ts'
import { takesWork } from '../db/process-registry.ts'
import type { Database } from '../db/tables.ts'
import { readManifest } from './manifest.ts'
import { memoizeRead } from './memoize-read.ts'
import { readDates, readSecurities } from './read-store.ts'
import {
  indexSnapshotFor,
  mostKept,
  newestSnapshot,
  newestSnapshots,
  type Snapshot,
  type SnapshotKind,
  snapshotPath,
  stockSnapshotFor,
} from './snapshot.ts'

/** Snapshots that this process has taken up, the newest last: it stays with them until a newer one can be used. */
const takenUp = new Set<string>()
const mostTakenUp = 64

const whole = memoizeRead<true>(8)

/** Reads what an api needs of a snapshot: manifest, securities and dates, each checked. @throws BrokenSnapshot */
export const readWhole = (dataDir: string, snapshot: Snapshot): Promise<true> => {
  const folder = snapshotPath(dataDir, snapshot)
  return whole(folder, async () => {
    const manifest = await readManifest(folder, snapshot.manifestSha256)
    await Promise.all([readSecurities(folder, manifest), readDates(folder, manifest)])
    return true
  })
}

async function isReadable(dataDir: string, snapshot: Snapshot): Promise<boolean> {
  try {
    return await readWhole(dataDir, snapshot)
  } catch (error) {
    if (error instanceof BrokenSnapshot) return false
    throw error
  }
}

/** SQL: a worker that takes work has the snapshot of the row. */
const isHeld = sql<boolean>`exists (
  select 1 from process_snapshot h join process p on p.id = h.process_id
  where h.snapshot_id = market_snapshot.id and ${takesWork('p')})`

async function inUse(db: Kysely<Database>, dataDir: string, newest: Snapshot | null): Promise<Snapshot | null> {
  if (newest === null || takenUp.has(newest.id)) return newest
  const candidates = await newestSnapshots(db, newest, mostKept, isHeld)
  for (const { snapshot, holds: isHeldByWorker } of candidates) {
    if (takenUp.has(snapshot.id)) return snapshot
    if (!isHeldByWorker || !(await isReadable(dataDir, snapshot))) continue
    takenUp.add(snapshot.id)
    for (const old of [...takenUp].slice(0, -mostTakenUp)) takenUp.delete(old)
    return snapshot
  }
  // No worker has any: what can be read here is shown, and nothing is computed.
  for (const { snapshot } of candidates) if (await isReadable(dataDir, snapshot)) return snapshot
  return newest
}

/** The snapshot of a kind that this process answers from; null: nothing that can be used was published. */
export const currentSnapshot = async (db: Kysely<Database>, dataDir: string, kind: SnapshotKind): Promise<Snapshot | null> =>
  inUse(db, dataDir, await newestSnapshot(db, kind))

/** The snapshots that a market's snapshot is read with (`indexSnapshotFor`, `stockSnapshotFor`), as far as they are in use here. */
export async function companionsOf(
  db: Kysely<Database>,
  dataDir: string,
  market: Snapshot,
): Promise<{ readonly index: Snapshot | null; readonly stocks: Snapshot | null }> {
  const index = await inUse(db, dataDir, await indexSnapshotFor(db, market))
  return { index, stocks: await stockSnapshotFor(market, () => currentSnapshot(db, dataDir, 'stk')) }
}

/** The snapshots that a worker is to have whole: the newest of each market, and the indices that go with them. */
export async function newestOfAll(db: Kysely<Database>): Promise<Snapshot[]> {
  const markets = await Promise.all(marketIds.map((kind) => newestSnapshot(db, kind)))
  const indices = await Promise.all(markets.map((market) => market && indexSnapshotFor(db, market)))
  const byId = new Map([...markets, ...indices].flatMap((snapshot) => (snapshot ? [[snapshot.id, snapshot] as const] : [])))
  return [...byId.values()]
}
