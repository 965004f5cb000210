import type { DataMode, MarketId } from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { FeedErrorKind, Kept } from './answers.ts'
import type { DayPart } from './day-parts.ts'
import type { FactValue } from './fact-value.ts'
import type { Quality, StoredFinding } from './quality.ts'

/** Published market data, and how they are fed. */
export interface MarketTables {
  market_snapshot: {
    id: string
    kind: MarketId | 'index'
    data_mode: DataMode
    data_version: string
    folder: string
    manifest_sha256: string
    first_date: string
    last_date: string
    securities: number
    quality: JSONColumnType<Quality>
    published_at: Generated<Date>
    /** Since when files are known to be missing or changed, and which. */
    damaged_at: Generated<Date | null>
    damage: Generated<string | null>
    /** The store manifest; null: its files lie in the folder of one machine. */
    store_key: Generated<string | null>
  }
  /** `body`: the JSON of the push, packed by gzip. */
  pushed: { kind: 'ticks' | 'bars' | 'calls'; date: string; at: Date; body: Buffer }
  ingest_step: {
    market: MarketId | 'index'
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
    /** Codes whose row of the day was rejected; null: not known. */
    rejected: JSONColumnType<string[], string | undefined, string> | null
  }
  day_part: {
    market: MarketId | 'index'
    day: string
    part: DayPart
    state: 'whole' | 'part' | 'missing'
    expected: number
    found: number
    lacking: JSONColumnType<string[], string, string>
    source: string | null
    asked_at: Date
    closed: Generated<boolean>
  }
  feed_health: {
    source: string
    need: string
    answered_at: Date | null
    failed_at: Date | null
    fault: FeedErrorKind | null
    why: string | null
    quiet_until: Date | null
  }
  calendar_year: {
    year: number
    said_by: 'operator' | 'source'
    closed: string | null
    said_at: Date | null
    source: string | null
    asked_at: Date | null
    why: string | null
  }
  code_change: { old_code: string; new_code: string; first_day: string; said_at: Date }
  known_fact: {
    id: Generated<string>
    code: string
    what: 'call' | 'conversion_price' | 'remaining_size' | 'rating' | 'name' | 'statement'
    published: string
    effective: string | null
    value: JSONColumnType<FactValue>
    source: string
    learned_at: Generated<Date>
  }
  left_out_statement: {
    market: MarketId | 'index'
    digest: string
    since: string
  }
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
