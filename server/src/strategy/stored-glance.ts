import type { Glance, Kind } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { newestSnapshot } from '../market/snapshot.ts'
import { shanghaiTime } from '../time.ts'

/** A glance as it is kept; what depends on the moment of reading is added then. */
export type StoredGlance = Omit<Glance, 'computed_at' | 'stale' | 'backtest_id'>

/** Net values of the rule on the days of its last year, the oldest first. */
export interface GlanceNav {
  readonly dates: readonly string[]
  readonly nav: readonly number[]
  /** What was held on each day as places in `codes`; null: not told of that day. Absent in glances of older engines. */
  readonly codes?: readonly string[]
  readonly held?: readonly (readonly number[] | null)[]
}

type Row = Pick<Database['strategy'], 'glance_version'> & {
  version: number
  glance: StoredGlance | null
  glance_at: Date | null
  backtest_id?: string | null
}

/** A strategy's glance as it is told now; null where none was computed. `newest`: the data version of its market. */
export function glanceOf(row: Row, newest: string | null): Glance | null {
  const { glance, glance_at: at } = row
  if (!glance || !at) return null
  return {
    ...glance,
    computed_at: shanghaiTime(at),
    stale: row.glance_version !== row.version || glance.data_version !== newest,
    ...(row.backtest_id && { backtest_id: row.backtest_id }),
  }
}

/** Version of the newest data of a market; null where there are none. */
export async function newestData(db: Kysely<Database>, kind: Kind): Promise<string | null> {
  return (await newestSnapshot(db, kind))?.dataVersion ?? null
}
