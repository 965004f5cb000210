import type { MarketId, StrategySummary } from '@convexa/contract'
import { shanghaiTime } from '../base/time.ts'
import type { StoredGlance } from '../db/tables/stored-glance.ts'
import type { Database } from '../db/tables.ts'
import { currentSnapshot } from '../market/current-snapshot.ts'
import { newestNote, type PartsGround } from '../quant/open-parts.ts'

type Row = Pick<Database['strategy'], 'glance_version'> & {
  version: number
  glance: StoredGlance | null
  glance_at: Date | null
  backtest_id?: string | null
}

/** What is known of the newest data of a market: their version, and what of their last day has not come. */
export interface NewestData {
  readonly version: string
  readonly note: string | null
}

/** A strategy's glance as it is sent now; null where none was computed. `newest`: of its market, null where there are no data. */
export function glanceOf(row: Row, newest: NewestData | null): StrategySummary | null {
  const { glance, glance_at: at } = row
  if (!glance || !at) return null
  return {
    ...glance,
    computed_at: shanghaiTime(at),
    stale: row.glance_version !== row.version || glance.data_version !== newest?.version,
    ...(newest?.note && glance.data_version === newest.version && { data_note: newest.note }),
    ...(row.backtest_id && { backtest_id: row.backtest_id }),
  }
}

/** null where a market has no data. */
export async function newestData(deps: PartsGround, kind: MarketId): Promise<NewestData | null> {
  const snapshot = await currentSnapshot(deps.db, deps.config.dataDir, kind)
  return snapshot && { version: snapshot.dataVersion, note: await newestNote(deps, snapshot) }
}
