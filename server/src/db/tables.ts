import type { Generated } from 'kysely'
import type { AlertTables } from './tables/alerts.ts'
import type { MarketTables } from './tables/market.ts'
import type { OrderTables } from './tables/orders.ts'
import type { QmtTables } from './tables/qmt.ts'
import type { QuantTables } from './tables/quant.ts'
import type { StoreTables } from './tables/store.ts'
import type { StrategyTables } from './tables/strategies.ts'
import type { UserTables } from './tables/users.ts'

export type { EndReason } from './tables/users.ts'

/** Row types of the migrations beside this file; comments are there. Dates are `YYYY-MM-DD` texts, timestamps Date. */
export interface Database extends UserTables, MarketTables, QuantTables, StrategyTables, QmtTables, OrderTables, AlertTables, StoreTables {
  /** Which SECRET_KEY the sealed columns are under; exactly one row is current. `key_id`: 8 hex digits of a digest of the key. */
  secret_check: { key_id: string; mac: Buffer; current: boolean; made_at: Generated<Date> }
  /** At most one row, there while runs are kept by plan. */
  retention: { only_row: Generated<boolean>; started_at: Generated<Date>; after_user: string | null }
  /** How the backups are: at most one row. */
  backup_state: {
    only_row: Generated<boolean>
    began_at: Date | null
    bytes: number | null
    shipped_at: Date | null
    behind_bytes: Generated<number>
    problem: string | null
    told_at: Generated<Date>
  }
  maintenance: { only_row: Generated<boolean>; is_on: Generated<boolean>; until: Date | null }
  process: {
    id: string
    role: 'api' | 'worker' | 'cli'
    lock_key: number
    address: string | null
    secret: string | null
    started_at: Generated<Date>
    /** Whether it takes work, and a code why not. */
    ready: Generated<boolean>
    reason: Generated<string | null>
    /** Backtests that a worker computes at once. */
    slots: Generated<number>
    program: Generated<string | null>
    engine: Generated<string | null>
    /** Written every 2 s: a frozen process keeps its lock. */
    seen_at: Generated<Date>
  }
  /** Snapshots that a worker has whole. */
  process_snapshot: { process_id: string; snapshot_id: string }
}
