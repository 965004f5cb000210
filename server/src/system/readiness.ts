/**
 * Whether this api can serve, for a supervisor or a load balancer (`/readyz`). Each reason against it has a code and a sentence; the first
 * that holds is said.
 */

import type { MarketId } from '@convexa/contract'
import { byMarket, marketIds } from '@convexa/contract/enums/market'
import { markets } from '@convexa/engine'
import { sql } from 'kysely'
import { freeBytes, leastFreeBytes } from '../base/free-space.ts'
import type { AppContext } from '../context/app-context.ts'
import { schemaFits } from '../db/schema-version.ts'
import { type NotReadyReason, notReadyTexts } from '../http/not-ready.ts'
import { currentSnapshot, readWhole } from '../market/current-snapshot.ts'
import type { Snapshot } from '../market/snapshot.ts'
import { answersInTime } from './answers-in-time.ts'

export interface Readiness {
  /** Empty: ready. */
  readonly reasons: readonly NotReadyReason[]
  /** Of the first reason. */
  readonly text: string
  /** That take work and have the data in use. */
  readonly workers: number
  /** The data version in use; null where a market was never published. */
  readonly markets: Readonly<Record<MarketId, string | null>>
}

/** `free` tells the bytes that are free where a folder lies. */
export function readinessOf({ db, config, compute, damage }: AppContext, free = freeBytes): () => Promise<Readiness> {
  const isMigrated = schemaFits(db)

  /** null: never published; false: what is published cannot be read. */
  const stateOf = async (kind: MarketId): Promise<Snapshot | null | false> => {
    const snapshot = await currentSnapshot(db, config.dataDir, kind)
    if (snapshot === null) return (await isPublished(kind)) ? false : null
    try {
      await readWhole(config.dataDir, snapshot)
      return snapshot
    } catch (error) {
      await damage.suspectError(error)
      return false
    }
  }
  const isPublished = async (kind: MarketId) =>
    (await db.selectFrom('market_snapshot').select('id').where('kind', '=', kind).limit(1).executeTakeFirst()) !== undefined

  return async () => {
    const not = (reason: 'database' | 'schema'): Readiness => {
      return { reasons: [reason], text: notReadyTexts[reason](), workers: 0, markets: byMarket(() => null) }
    }
    if (!(await answersInTime(sql`select 1`.execute(db)))) return not('database')
    if (!(await isMigrated())) return not('schema')
    const [states, bytes] = await Promise.all([
      Promise.all(marketIds.map(async (kind) => [kind, await stateOf(kind)] as const)),
      free(config.dataDir),
    ])
    const workers = await compute.workers(states.flatMap(([, state]) => (state ? [state.id] : [])))
    const stateBy = new Map(states)
    const unreadable = states.filter(([, state]) => state === false).map(([kind]) => markets[kind].label)
    const found: readonly (readonly [NotReadyReason, boolean])[] = [
      ['no_market', states.every(([, state]) => state === null)],
      ['market_unreadable', unreadable.length > 0],
      ['no_worker', workers === 0],
      ['disk', config.isSingleMachine && bytes !== null && bytes < leastFreeBytes],
    ]
    const reasons = found.filter(([, holds]) => holds).map(([reason]) => reason)
    const [first] = reasons
    return {
      reasons,
      text: first ? notReadyTexts[first](unreadable.join('、')) : '',
      workers,
      markets: byMarket((kind) => {
        const state = stateBy.get(kind)
        return state ? state.dataVersion : null
      }),
    }
  }
}
