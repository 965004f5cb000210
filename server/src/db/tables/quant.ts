import type { CheckGrid, DataMode, MarketId, Metrics, Parameters, Robustness, RunStatus, TrustState, WorthState } from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'

/** Runs, reports, own factors and what was used of the day. */
export interface QuantTables {
  backtest_run: {
    id: string
    user_id: string
    kind: MarketId
    status: Generated<RunStatus>
    strategy_id: string | null
    note: string | null
    favourite: Generated<boolean>
    client_run_id: string | null
    name: string | null
    group_id: string | null
    request: JSONColumnType<Record<string, unknown>>
    params_hash: string
    /** Of all the user's runs of the market, the removed ones too: the key of a removed one. */
    trial_no: number
    /** Of the rules of its family that were tried, as its report says; null of a group and of runs of long ago. */
    family_trials: number | null
    snapshot_id: string | null
    index_snapshot_id: string | null
    stock_snapshot_id: string | null
    data_mode: DataMode
    data_version: string
    engine_version: string
    owner_id: string
    worker_id: string | null
    /** How often it was given back because its data could not be read, and by which workers. */
    attempt: Generated<number>
    avoid: Generated<string[]>
    cancel_requested_at: Date | null
    error_code: number | null
    error_message: string | null
    metrics: JSONColumnType<Metrics> | null
    /** Both answers in short: all null where there are none. */
    worth: WorthState | null
    worth_excess: number | null
    trust: TrustState | null
    trust_judged: number | null
    trust_passed: number | null
    /** Of what decides all that is computed again; null of runs that hold a whole report, and where none came about. */
    ledger_sha256: Buffer | null
    /** The nav in short, 2 bytes a point. */
    spark: Buffer | null
    /** 2: its core too, 1: question and figures only. */
    kept: Generated<1 | 2>
    created_at: Generated<Date>
    started_at: Date | null
    finished_at: Date | null
  }
  grid_trial: {
    id: string
    user_id: string
    kind: MarketId
    factors: JSONColumnType<unknown[]>
    cells: number
    /** Of a check grid. */
    checks: Generated<boolean>
    tried_at: Generated<Date>
  }
  run_check: {
    run_id: string
    user_id: string
    robustness: JSONColumnType<Robustness>
    grid: JSONColumnType<CheckGrid>
    engine_version: string
    data_version: string
    elapsed_ms: number
    made_at: Generated<Date>
  }
  run_event: {
    run_id: string
    seq: number
    payload: JSONColumnType<Record<string, unknown>>
    created_at: Generated<Date>
  }
  run_core: { run_id: string; format: number; bytes: number; key: string | null; inline: Buffer | null }
  run_report: { run_id: string; report: Buffer; headless: Generated<boolean>; kept_whole: 'other days' | 'no data' | 'refused' | null }
  run_days: { run_id: string; first_date: string; last_date: string; days: Buffer }
  report_share: {
    id: string
    user_id: string
    run_id: string
    token_hash: Buffer
    views: Generated<number>
    created_at: Generated<Date>
    expires_at: Date
    revoked_at: Date | null
    key: Generated<string | null>
  }
  removed_trial: {
    user_id: string
    kind: MarketId
    trial_no: number
    status: RunStatus
    params_hash: string
    factors: JSONColumnType<Parameters['rank_factors']> | null
    tried_at: Date
  }
  custom_factor: {
    id: string
    user_id: string
    kind: MarketId
    factor_key: string
    name: string
    formula: string
    canonical: string
    /** As those of a strategy. */
    kept_meanings: Generated<string[]>
    description: string
    unit: string | null
    decimals: number
    prefer_default: 'small' | 'large'
    version: Generated<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  custom_factor_version: {
    factor_id: string
    version: number
    user_id: string
    formula: string
    canonical: string
    created_at: Generated<Date>
  }
  rate_use: { owner: string; item: string; used: number; ends_at: Date }
  quota_use: { user_id: string; day: string; item: string; used: number }
}
