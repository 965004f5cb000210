import type { Glance, Kind } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { newestSnapshot } from '../market/snapshot.ts'
import { shanghaiTime } from '../time.ts'
import type { StoredGlance } from './stored-glance.ts'

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
