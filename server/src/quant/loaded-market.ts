import type { MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import type { DataRef } from '../context/compute.ts'
import type { Database } from '../db/tables.ts'
import { companionsOf, currentSnapshot } from '../market/current-snapshot.ts'
import { type Adjust, readManifest } from '../market/manifest.ts'
import { memoizeRead } from '../market/memoize-read.ts'
import { availableIn, type Snapshot, snapshotBenchmarks, snapshotPath } from '../market/snapshot.ts'

/** The published data of a market that are in use here, as requests are checked against it. */
export interface LoadedMarket {
  readonly ref: DataRef
  readonly snapshot: Snapshot
  readonly available: ReadonlySet<string>
  readonly benchmarks: readonly { readonly code: string; readonly name: string }[]
  /** How its prices are stated. */
  readonly adjust: Adjust
}

type Read = Pick<LoadedMarket, 'available' | 'benchmarks' | 'adjust'>

const known = memoizeRead<Read>(16)

/** null where the market has no data yet. */
export async function findMarket(db: Kysely<Database>, dataDir: string, kind: MarketId): Promise<LoadedMarket | null> {
  const snapshot = await currentSnapshot(db, dataDir, kind)
  if (!snapshot) return null
  const { index, stocks } = await companionsOf(db, dataDir, snapshot)
  const folder = snapshotPath(dataDir, snapshot)
  const found = await known(`${folder}|${index?.id ?? ''}`, () => read(folder, index && snapshotPath(dataDir, index)))
  const ref = { kind, snapshotId: snapshot.id, indexSnapshotId: index?.id ?? null, stockSnapshotId: stocks?.id ?? null }
  return { ref, snapshot, ...found }
}

/** @throws ApiError 21008 where the market has no data, 21011 where all that it has is damaged */
export async function loadedMarket(db: Kysely<Database>, dataDir: string, kind: MarketId): Promise<LoadedMarket> {
  const market = await findMarket(db, dataDir, kind)
  if (market) return market
  const damaged = await db.selectFrom('market_snapshot').select('id').where('kind', '=', kind).limit(1).executeTakeFirst()
  throwApiError(damaged ? errorCodes.damagedMarketData : errorCodes.noMarketData)
}

async function read(folder: string, indexFolder: string | null): Promise<Read> {
  const [available, benchmarks, { adjust }] = await Promise.all([
    availableIn(folder),
    snapshotBenchmarks(folder, indexFolder),
    readManifest(folder),
  ])
  return { available, benchmarks, adjust }
}
