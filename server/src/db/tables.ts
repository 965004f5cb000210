import type {
  DataMode,
  Holding,
  Kind,
  LoginMethod,
  Metrics,
  Parameters,
  PayType,
  Prefs,
  RunStatus,
  Settings,
  TradingConfigBody,
  VipOrderStatus,
} from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { FaultKind } from '../feeds/feed.ts'
import type { Kept } from '../feeds/ingest/raw-answers.ts'
import type { Quality, StoredFinding } from '../market/quality.ts'
import type { AttemptState, Cause, ClosingFor, MoneySource, RefundReason, RefundState } from '../order/states.ts'
import type { StoredDryRun, TargetsBody } from '../qmt/stored.ts'
import type { GlanceNav, StoredGlance } from '../strategy/stored-glance.ts'

/** Why sessions of a user are ended besides logout, reuse and too many. */
export type EndReason = 'others' | 'password' | 'mobile' | 'email' | 'wechat' | 'disabled' | 'deleted' | 'operator'

/** Row types of the migrations beside this file; comments are there. Dates are `YYYY-MM-DD` texts, timestamps Date. */
export interface Database {
  app_user: {
    id: string
    account: string | null
    nickname: string
    password_hash: string | null
    is_demo: Generated<boolean>
    vip_level: Generated<number>
    vip_until: Date | null
    prefs: JSONColumnType<Prefs, string | undefined, string>
    disabled_at: Date | null
    deletion_at: Date | null
    avatar_file_id: string | null
    qmt_halted_at: Date | null
    consent_version: string | null
    consented_at: Date | null
    created_at: Generated<Date>
  }
  user_contact: { user_id: string; kind: 'mobile' | 'email'; address_hash: Buffer; sealed: Buffer; verified_at: Date | null }
  verification_code: {
    key: Buffer
    code_hash: Buffer
    sealed_target: Buffer
    tries: Generated<number>
    expires_at: Date
    used_at: Date | null
    created_at: Generated<Date>
  }
  code_send: { sent_at: Date; target_hash: Buffer; source_hash: Buffer; user_id: string | null }
  human_check_used: { nonce: string; expires_at: Date }
  session: {
    id: string
    user_id: string
    access_hash: Buffer
    refresh_hash: Buffer
    previous_access_hash: Buffer | null
    previous_access_expires_at: Date | null
    previous_refresh_hash: Buffer | null
    successor: Buffer | null
    rotated_at: Date | null
    access_expires_at: Date
    refresh_expires_at: Date
    absolute_expires_at: Date
    revoked_at: Date | null
    revoke_reason: 'logout' | 'reuse' | 'limit' | EndReason | null
    re_auth_until: Date | null
    created_at: Generated<Date>
  }
  message: {
    id: string
    sealed: Buffer
    expires_at: Date
    attempts: Generated<number>
    unclear: Generated<boolean>
    created_at: Generated<Date>
  }
  wechat_credential: {
    id: string
    user_id: string
    sealed: Buffer
    openid_index: Buffer
    unionid_index: Buffer | null
    nickname: string
    avatar_url: string | null
    bound_at: Generated<Date>
  }
  used_once: { key: Buffer; until: Date }
  upload: { id: string; user_id: string; created_at: Generated<Date>; expires_at: Date; used_at: Date | null }
  file: { id: string; user_id: string; upload_id: string; name: string; mime: string; size: number; created_at: Generated<Date> }
  login_failure: { key: Buffer; failures: number; window_ends_at: Date }
  login_record: {
    id: string
    user_id: string | null
    session_id: string | null
    login_at: Generated<Date>
    method: LoginMethod
    success: boolean
    device: string
    os: string
    browser: string
    ip: string
    fingerprint: string | null
  }
  audit: {
    id: Generated<number>
    at: Generated<Date>
    actor: string
    action: string
    user_id: string | null
    before: JSONColumnType<Record<string, unknown>> | null
    after: JSONColumnType<Record<string, unknown>> | null
  }
  maintenance: { only_row: Generated<boolean>; is_on: Generated<boolean>; until: Date | null }
  market_snapshot: {
    id: string
    kind: Kind | 'index'
    data_mode: DataMode
    data_version: string
    folder: string
    manifest_sha256: string
    first_date: string
    last_date: string
    securities: number
    quality: JSONColumnType<Quality>
    published_at: Generated<Date>
  }
  ingest_step: {
    market: Kind | 'index'
    day: string
    step: 'quotes' | 'events' | 'statements'
    state: 'waiting' | 'asked' | 'published' | 'refused' | 'held'
    answers: JSONColumnType<Kept[]>
    report: Generated<string>
    snapshot_id: string | null
    tries: Generated<number>
    changed_at: Generated<Date>
    seconds: number | null
    quarantined: Generated<number>
    findings: JSONColumnType<StoredFinding[], string | undefined, string>
  }
  feed_health: {
    source: string
    need: string
    answered_at: Date | null
    failed_at: Date | null
    fault: FaultKind | null
    why: string | null
    quiet_until: Date | null
  }
  known_fact: {
    id: Generated<string>
    code: string
    what: 'call' | 'conversion_price' | 'remaining_size' | 'rating' | 'name' | 'statement'
    published: string
    effective: string | null
    value: JSONColumnType<Record<string, unknown>>
    source: string
    learned_at: Generated<Date>
  }
  process: {
    id: string
    role: 'api' | 'worker' | 'cli'
    lock_key: number
    address: string | null
    secret: string | null
    started_at: Generated<Date>
  }
  backtest_run: {
    id: string
    user_id: string
    kind: Kind
    status: Generated<RunStatus>
    strategy_id: string | null
    note: string | null
    client_run_id: string | null
    name: string | null
    group_id: string | null
    request: JSONColumnType<Record<string, unknown>>
    params_hash: string
    trial_no: number
    snapshot_id: string | null
    index_snapshot_id: string | null
    data_mode: DataMode
    data_version: string
    engine_version: string
    owner_id: string
    worker_id: string | null
    cancel_requested_at: Date | null
    error_code: number | null
    error_message: string | null
    metrics: JSONColumnType<Metrics> | null
    created_at: Generated<Date>
    started_at: Date | null
    finished_at: Date | null
  }
  grid_trial: {
    id: string
    user_id: string
    kind: Kind
    factors: JSONColumnType<unknown[]>
    cells: number
    tried_at: Generated<Date>
  }
  run_event: {
    run_id: string
    seq: number
    payload: JSONColumnType<Record<string, unknown>>
    created_at: Generated<Date>
  }
  custom_factor: {
    id: string
    user_id: string
    kind: Kind
    factor_key: string
    name: string
    formula: string
    canonical: string
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
  strategy: {
    id: string
    user_id: string
    kind: Kind
    name: string
    remark: string
    tags: string[]
    detail: JSONColumnType<Parameters>
    settings: JSONColumnType<Settings> | null
    version: Generated<number>
    factor_versions: JSONColumnType<Record<string, number>>
    glance: JSONColumnType<StoredGlance> | null
    glance_at: Date | null
    glance_version: number | null
    glance_nav: JSONColumnType<GlanceNav> | null
    glance_key: string | null
    followed: JSONColumnType<GlanceNav> | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  strategy_version: {
    strategy_id: string
    version: number
    user_id: string
    detail: JSONColumnType<Parameters>
    settings: JSONColumnType<Settings> | null
    created_at: Generated<Date>
  }
  strategy_day: {
    strategy_id: string
    version: number
    date: string
    user_id: string
    codes: string[]
    nav: number
    data_version: string
    on_time: boolean
    recorded_at: Generated<Date>
  }
  strategy_group: {
    id: string
    user_id: string
    kind: Kind
    name: string
    remark: string
    rebalance: 'monthly' | 'never'
    duplicate: 'merge' | 'separate'
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  strategy_group_member: { group_id: string; strategy_id: string; user_id: string; kind: Kind; weight: number; place: number }
  rate_use: { owner: string; item: string; used: number; ends_at: Date }
  quota_use: { user_id: string; day: string; item: string; used: number }
  removed_trial: {
    user_id: string
    kind: Kind
    trial_no: number
    status: RunStatus
    params_hash: string
    factors: JSONColumnType<Parameters['rank_factors']> | null
    tried_at: Date
  }
  run_report: { run_id: string; report: Buffer; headless: Generated<boolean> }
  report_share: {
    id: string
    user_id: string
    run_id: string
    token_hash: Buffer
    views: Generated<number>
    created_at: Generated<Date>
    expires_at: Date
    revoked_at: Date | null
  }
  run_days: { run_id: string; first_date: string; last_date: string; days: Buffer }
  qmt_key: {
    id: string
    user_id: string
    key_hash: Buffer
    tail: string
    created_at: Generated<Date>
    expires_at: Date | null
    last_used_at: Date | null
    last_ip: string | null
  }
  qmt_account: {
    id: string
    user_id: string
    alias: string
    broker: string
    sealed: Buffer
    number_index: Buffer
    account_type: 'STOCK' | 'CREDIT'
    client_type: 'mini' | 'big'
    initial_capital: number
    report_status: 0 | 1
    reported_at: string | null
    is_enabled: boolean
    remark: string
    created_at: Generated<Date>
  }
  qmt_trading_config: {
    id: string
    user_id: string
    name: string
    settings: JSONColumnType<Omit<TradingConfigBody, 'name'>>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  qmt_config: {
    id: string
    user_id: string
    name: string
    kind: Kind
    account_id: string
    source_type: 'strategy' | 'group'
    source_id: string
    capital: number
    hold_weight_type: 1 | 2 | 3 | 4 | 5
    trading_config_id: string
    enabled: boolean
    version: Generated<number>
    dry_run: JSONColumnType<StoredDryRun> | null
    confirmed_at: Date | null
    exported_at: Date | null
    heartbeat_at: Date | null
    holdings: JSONColumnType<Holding[]> | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  qmt_targets: {
    config_id: string
    user_id: string
    trade_date: string
    body: JSONColumnType<TargetsBody>
    checksum: string
    data_version: string
    created_at: Generated<Date>
    pulled_at: Date | null
  }
  qmt_fill: {
    config_id: string
    order_id: string
    user_id: string
    trade_date: string
    code: string
    side: 'buy' | 'sell'
    volume: number
    filled: number
    price: number | null
    amount: number
    status: string
    note: string
    dry_run: boolean
    ordered_at: Date
    told_at: Generated<Date>
  }
  vip_plan: {
    id: string
    name: string
    days: number
    price_fen: number
    origin_price_fen: number | null
    recommended: Generated<boolean>
    on_sale: Generated<boolean>
    place: Generated<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  vip_order: {
    id: string
    user_id: string
    plan_id: string
    plan_name: string
    days: number
    amount_fen: number
    status: Generated<VipOrderStatus>
    closed_by: 'user' | 'timeout' | null
    created_at: Generated<Date>
    expires_at: Date
    paid_at: Date | null
  }
  order_transition: { from_status: number; to_status: number }
  order_event: {
    id: Generated<number>
    order_id: string
    at: Generated<Date>
    from_status: number | null
    to_status: number
    cause: Cause
  }
  payment_attempt: {
    otn: string
    order_id: string
    seq: number
    type: PayType
    state: Generated<AttemptState>
    closing: ClosingFor | null
    code_url: string | null
    prepay_id: string | null
    created_at: Generated<Date>
    next_query_at: Date | null
    query_count: Generated<number>
    queried_at: Date | null
  }
  payment: {
    transaction_id: string
    otn: string
    order_id: string
    total_fen: number
    payer_total_fen: number
    paid_at: Date
    source: MoneySource
    effect: 'GRANT' | 'REFUND'
    created_at: Generated<Date>
  }
  subscription_grant: {
    id: string
    user_id: string
    order_id: string | null
    days: number
    granted_at: Date
    starts_at: Date
    ends_at: Date
    revoked_at: Date | null
  }
  refund: {
    out_refund_no: string
    transaction_id: string
    amount_fen: number
    state: Generated<RefundState>
    reason: RefundReason
    revokes: Generated<boolean>
    tries: Generated<number>
    next_try_at: Date | null
    created_at: Generated<Date>
    done_at: Date | null
  }
  payment_notice: {
    event_id: string
    event_type: string
    body_sha256: Buffer
    outcome: string
    times: Generated<number>
    received_at: Generated<Date>
  }
  payment_anomaly: {
    id: Generated<number>
    at: Generated<Date>
    what: string
    otn: string
    transaction_id: string
    detail: JSONColumnType<Record<string, unknown>>
    resolved_at: Date | null
  }
  payment_bill: {
    day: string
    payments: number
    refunds: number
    found: number
    unexplained: number
    compared_at: Generated<Date>
  }
  wechat_payer: { user_id: string; sealed: Buffer; updated_at: Generated<Date> }
  live_quotes: {
    one: Generated<boolean>
    seq: number
    trade_date: string
    quoted_at: Date
    received_at: Generated<Date>
    source: string
    codes: string
    numbers: Buffer
  }
}
