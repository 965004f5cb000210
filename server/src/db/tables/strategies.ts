import type { MarketId, Parameters, Settings } from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'
import type { ListPart } from './day-parts.ts'
import type { FollowedNav, GlanceNav, StoredGlance } from './stored-glance.ts'

/** Saved strategies and groups. */
export interface StrategyTables {
  strategy: {
    id: string
    user_id: string
    kind: MarketId
    name: string
    remark: string
    tags: string[]
    detail: JSONColumnType<Parameters>
    settings: JSONColumnType<Settings> | null
    version: Generated<number>
    factor_versions: JSONColumnType<Record<string, number>>
    /** Sentences on names of factors that keep what they meant before (`contract/src/kept-meaning.ts`). */
    kept_meanings: Generated<string[]>
    glance: JSONColumnType<StoredGlance> | null
    glance_at: Date | null
    glance_version: number | null
    glance_nav: JSONColumnType<GlanceNav> | null
    glance_key: string | null
    followed: JSONColumnType<FollowedNav> | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  strategy_version: {
    strategy_id: string
    version: number
    user_id: string
    detail: JSONColumnType<Parameters>
    settings: JSONColumnType<Settings> | null
    kept_meanings: Generated<string[]>
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
    /** Null: of before it was noted. */
    engine_version: string | null
    recorded_at: Generated<Date>
    open_parts: Generated<ListPart[]>
  }
  strategy_group: {
    id: string
    user_id: string
    kind: MarketId
    name: string
    remark: string
    rebalance: 'monthly' | 'never'
    duplicate: 'merge' | 'separate'
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  strategy_group_member: { group_id: string; strategy_id: string; user_id: string; kind: MarketId; weight: number; place: number }
}
