import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { unsealFor } from '../secret.ts'
import { shanghaiTime } from '../time.ts'
import type { World } from '../world.ts'

/** Columns that are not given out, by table, with the reason; a column that is in neither list fails `export.test.ts`. */
interface Own {
  /** Name in the file. */
  readonly name: string
  readonly table: string
  /** Its rows are the user's where this column is the user's id. */
  readonly owner: string
  readonly columns: readonly string[]
  /** Column that holds something sealed (secret.ts) → the use it was sealed for; it is given out opened. */
  readonly opened?: Readonly<Record<string, string>>
  /** Column → why it stays here. */
  readonly kept: Readonly<Record<string, string>>
  /** Rows are read in this order, some at a time. */
  readonly order: string
}

const secret = 'hash or sealed secret'
const internal = 'ours, says nothing of the user'

/** Everything that we keep of a user, table by table. */
export const ownTables: readonly Own[] = [
  {
    name: 'account',
    table: 'app_user',
    owner: 'id',
    columns: [
      'id',
      'account',
      'nickname',
      'vip_level',
      'vip_until',
      'prefs',
      'disabled_at',
      'deletion_at',
      'consent_version',
      'consented_at',
      'qmt_halted_at',
      'created_at',
    ],
    kept: { password_hash: secret, is_demo: internal, avatar_file_id: 'among the files' },
    order: 'id',
  },
  {
    name: 'contacts',
    table: 'user_contact',
    owner: 'user_id',
    columns: ['kind', 'verified_at'],
    opened: { sealed: 'address' },
    kept: { user_id: 'the same in every row', address_hash: secret },
    order: 'kind',
  },
  {
    name: 'codes_sent',
    table: 'code_send',
    owner: 'user_id',
    columns: ['sent_at'],
    kept: { user_id: 'the same in every row', target_hash: secret, source_hash: secret },
    order: "sent_at::text || encode(target_hash, 'hex')",
  },
  {
    name: 'sessions',
    table: 'session',
    owner: 'user_id',
    columns: ['created_at', 'rotated_at', 'refresh_expires_at', 'absolute_expires_at', 'revoked_at', 'revoke_reason', 're_auth_until'],
    kept: {
      id: secret,
      user_id: 'the same in every row',
      access_hash: secret,
      refresh_hash: secret,
      previous_access_hash: secret,
      previous_refresh_hash: secret,
      successor: secret,
      access_expires_at: internal,
      previous_access_expires_at: internal,
    },
    order: 'id',
  },
  {
    name: 'login_records',
    table: 'login_record',
    owner: 'user_id',
    columns: ['login_at', 'method', 'success', 'device', 'os', 'browser', 'ip', 'fingerprint'],
    kept: { id: internal, user_id: 'the same in every row', session_id: secret },
    order: 'id',
  },
  {
    name: 'acts',
    table: 'audit',
    owner: 'user_id',
    columns: ['at', 'actor', 'action', 'before', 'after'],
    kept: { id: internal, user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'wechat',
    table: 'wechat_credential',
    owner: 'user_id',
    columns: ['nickname', 'avatar_url', 'bound_at'],
    opened: { sealed: 'wechat identity' },
    kept: { id: internal, user_id: 'the same in every row', openid_index: secret, unionid_index: secret },
    order: 'id',
  },
  {
    name: 'files',
    table: 'file',
    owner: 'user_id',
    columns: ['name', 'mime', 'size', 'created_at'],
    kept: { id: internal, user_id: 'the same in every row', upload_id: internal },
    order: 'id',
  },
  {
    name: 'uploads',
    table: 'upload',
    owner: 'user_id',
    columns: ['created_at', 'expires_at', 'used_at'],
    kept: { id: secret, user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'orders',
    table: 'vip_order',
    owner: 'user_id',
    columns: ['id', 'plan_id', 'plan_name', 'days', 'amount_fen', 'status', 'closed_by', 'created_at', 'expires_at', 'paid_at'],
    kept: { user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'subscription',
    table: 'subscription_grant',
    owner: 'user_id',
    columns: ['id', 'order_id', 'days', 'granted_at', 'starts_at', 'ends_at', 'revoked_at'],
    kept: { user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'wechat_payer',
    table: 'wechat_payer',
    owner: 'user_id',
    columns: ['updated_at'],
    opened: { sealed: 'wechat payer' },
    kept: { user_id: 'the same in every row' },
    order: 'user_id',
  },
  {
    name: 'backtests',
    table: 'backtest_run',
    owner: 'user_id',
    columns: [
      ...['id', 'kind', 'status', 'strategy_id', 'note', 'request', 'params_hash', 'trial_no', 'data_mode', 'data_version'],
      ...[
        'name',
        'group_id',
        'engine_version',
        'error_code',
        'error_message',
        'metrics',
        'created_at',
        'started_at',
        'finished_at',
        'cancel_requested_at',
      ],
    ],
    kept: {
      user_id: 'the same in every row',
      client_run_id: internal,
      snapshot_id: internal,
      index_snapshot_id: internal,
      owner_id: internal,
      worker_id: internal,
    },
    order: 'id',
  },
  {
    name: 'grids',
    table: 'grid_trial',
    owner: 'user_id',
    columns: ['kind', 'factors', 'cells', 'tried_at'],
    kept: { id: internal, user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'shared_reports',
    table: 'report_share',
    owner: 'user_id',
    columns: ['id', 'run_id', 'views', 'created_at', 'expires_at', 'revoked_at'],
    kept: { user_id: 'the same in every row', token_hash: secret },
    order: 'id',
  },
  {
    name: 'removed_trials',
    table: 'removed_trial',
    owner: 'user_id',
    columns: ['kind', 'trial_no', 'status', 'params_hash', 'factors', 'tried_at'],
    kept: { user_id: 'the same in every row' },
    order: "kind || ' ' || trial_no",
  },
  {
    name: 'custom_factors',
    table: 'custom_factor',
    owner: 'user_id',
    columns: [
      ...['id', 'kind', 'factor_key', 'name', 'formula', 'canonical', 'description', 'unit', 'decimals', 'prefer_default', 'version'],
      ...['created_at', 'updated_at'],
    ],
    kept: { user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'custom_factor_versions',
    table: 'custom_factor_version',
    owner: 'user_id',
    columns: ['factor_id', 'version', 'formula', 'canonical', 'created_at'],
    kept: { user_id: 'the same in every row' },
    order: "factor_id::text || ' ' || version",
  },
  {
    name: 'strategies',
    table: 'strategy',
    owner: 'user_id',
    columns: [
      ...['id', 'kind', 'name', 'remark', 'tags', 'detail', 'settings', 'version', 'factor_versions', 'glance', 'glance_at'],
      ...['glance_version', 'created_at', 'updated_at'],
    ],
    kept: {
      user_id: 'the same in every row',
      glance_nav: 'computed from the rule and public data',
      glance_key: internal,
      followed: 'among the strategy days',
    },
    order: 'id',
  },
  {
    name: 'strategy_versions',
    table: 'strategy_version',
    owner: 'user_id',
    columns: ['strategy_id', 'version', 'detail', 'settings', 'created_at'],
    kept: { user_id: 'the same in every row' },
    order: "strategy_id::text || ' ' || version",
  },
  {
    name: 'strategy_days',
    table: 'strategy_day',
    owner: 'user_id',
    columns: ['strategy_id', 'version', 'date', 'codes', 'nav', 'data_version', 'on_time', 'recorded_at'],
    kept: { user_id: 'the same in every row' },
    order: "strategy_id::text || ' ' || version || ' ' || date",
  },
  {
    name: 'strategy_groups',
    table: 'strategy_group',
    owner: 'user_id',
    columns: ['id', 'kind', 'name', 'remark', 'rebalance', 'duplicate', 'created_at', 'updated_at'],
    kept: { user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'strategy_group_members',
    table: 'strategy_group_member',
    owner: 'user_id',
    columns: ['group_id', 'strategy_id', 'kind', 'weight', 'place'],
    kept: { user_id: 'the same in every row' },
    order: "group_id::text || ' ' || strategy_id",
  },
  {
    name: 'qmt_keys',
    table: 'qmt_key',
    owner: 'user_id',
    columns: ['tail', 'created_at', 'expires_at', 'last_used_at', 'last_ip'],
    kept: { id: internal, user_id: 'the same in every row', key_hash: secret },
    order: 'id',
  },
  {
    name: 'qmt_accounts',
    table: 'qmt_account',
    owner: 'user_id',
    columns: [
      ...['id', 'alias', 'broker', 'account_type', 'client_type', 'initial_capital', 'report_status', 'reported_at', 'is_enabled'],
      ...['remark', 'created_at'],
    ],
    opened: { sealed: 'qmt account' },
    kept: { user_id: 'the same in every row', number_index: secret },
    order: 'id',
  },
  {
    name: 'qmt_trading_configs',
    table: 'qmt_trading_config',
    owner: 'user_id',
    columns: ['id', 'name', 'settings', 'created_at', 'updated_at'],
    kept: { user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'qmt_configs',
    table: 'qmt_config',
    owner: 'user_id',
    columns: [
      ...['id', 'name', 'kind', 'account_id', 'source_type', 'source_id', 'capital', 'hold_weight_type', 'trading_config_id', 'enabled'],
      ...['version', 'dry_run', 'confirmed_at', 'exported_at', 'heartbeat_at', 'holdings', 'holdings_real', 'created_at', 'updated_at'],
    ],
    kept: { user_id: 'the same in every row' },
    order: 'id',
  },
  {
    name: 'qmt_targets',
    table: 'qmt_targets',
    owner: 'user_id',
    columns: ['config_id', 'trade_date', 'body', 'checksum', 'data_version', 'created_at', 'pulled_at'],
    kept: { user_id: 'the same in every row' },
    order: "config_id::text || ' ' || trade_date",
  },
  {
    name: 'qmt_fills',
    table: 'qmt_fill',
    owner: 'user_id',
    columns: [
      ...['config_id', 'order_id', 'trade_date', 'code', 'side', 'volume', 'filled', 'price', 'amount', 'status', 'note', 'dry_run'],
      ...['ordered_at', 'told_at'],
    ],
    kept: { user_id: 'the same in every row' },
    order: "config_id::text || ' ' || order_id",
  },
  {
    name: 'daily_use',
    table: 'quota_use',
    owner: 'user_id',
    columns: ['day', 'item', 'used'],
    kept: { user_id: 'the same in every row' },
    order: "day::text || ' ' || item",
  },
]

const rowsAtOnce = 200

/**
 * A user's own data as the text of one JSON object, `{exported_at, account: […], …}`, read and written a few rows at a time however much
 * it is. Of what visitors share (the demo account) each sees only their own session.
 */
export async function* exportOf(
  { db, config }: Pick<World, 'db' | 'config'>,
  caller: { id: string; sessionId: string; isDemo: boolean },
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(shanghaiTime(new Date()))}`
  for (const own of ownTables) {
    yield `,${JSON.stringify(own.name)}:[`
    let comma = ''
    for await (const row of rowsOf(db, own, caller)) {
      signal.throwIfAborted()
      yield comma + open(config, own.opened, row)
      comma = ',\n'
    }
    yield ']'
  }
  yield '}'
}

/** The row's text with what was sealed in it opened; PostgreSQL writes bytes as `\\x…`. */
function open(config: World['config'], opened: Own['opened'], row: string): string {
  if (!opened) return row
  const value = JSON.parse(row) as Record<string, unknown>
  for (const [column, use] of Object.entries(opened)) {
    const bytes = Buffer.from(String(value[column]).slice(2), 'hex')
    value[column] = unsealFor(config, use, bytes)
  }
  return JSON.stringify(value)
}

async function* rowsOf(
  db: Kysely<Database>,
  { table, owner, columns, opened = {}, order }: Own,
  { id, sessionId, isDemo }: { id: string; sessionId: string; isDemo: boolean },
): AsyncGenerator<string> {
  const place = sql.raw(order)
  const only =
    isDemo && table === 'login_record'
      ? sql`and session_id = ${sessionId}`
      : isDemo && table === 'session'
        ? sql`and id = ${sessionId}`
        : sql``
  let after: string | null = null
  for (;;) {
    const some: RawBuilder<{ place: string; row: string }> = sql`
      select (${place})::text as place,
        (select to_jsonb(r)::text from (select ${sql.join([...columns, ...Object.keys(opened)].map((column) => sql.ref(`t.${column}`)))}) r) as row
      from ${sql.table(table)} t
      where ${sql.ref(owner)} = ${id} ${only} ${after === null ? sql`` : sql`and (${place}) > ${after}`}
      order by ${place} limit ${rowsAtOnce}`
    const { rows } = await db.transaction().execute(async (transaction) => {
      // PostgreSQL writes moments in the zone of the session; on the wire they are Shanghai's.
      await sql`set local time zone 'Asia/Shanghai'`.execute(transaction)
      return some.execute(transaction)
    })
    for (const { row } of rows) yield row
    after = rows.at(-1)?.place ?? null
    if (rows.length < rowsAtOnce) return
  }
}
