import type { BookChange, Holding, MarketId, Resting, TradingConfigBody } from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { JournalTold, JournalWord, StoredClient, StoredDryRun, TargetsBody } from './qmt-json.ts'

/** Trading from a terminal. */
export interface QmtTables {
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
    kind: MarketId
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
    holdings_real: Generated<boolean>
    journal_id: string | null
    journal_n: string | null
    journal_told: JSONColumnType<JournalTold> | null
    journal_word: JSONColumnType<JournalWord> | null
    resting: JSONColumnType<Resting[]> | null
    book_changes: JSONColumnType<BookChange[]> | null
    client: JSONColumnType<StoredClient> | null
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
    order_price: number | null
    seq: number | null
    proof: string | null
    settled_filled: number | null
    settled_at: Date | null
  }
  qmt_book_word: {
    config_id: string
    code: string
    user_id: string
    volume: number
    word: string
    said_at: Generated<Date>
  }
}
