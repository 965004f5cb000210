import type { Glance } from '@convexa/contract'

/** A glance as it is kept; what depends on the moment of reading is added then. */
export type StoredGlance = Omit<Glance, 'computed_at' | 'stale' | 'backtest_id'>

/** The rule as it was followed since it was saved, on the data of now. */
export interface FollowedNav {
  readonly dates: readonly string[]
  readonly nav: readonly number[]
  /** Absent in what older engines followed. */
  readonly market?: { readonly label: string; readonly nav: readonly number[] }
}

/** Net values of the rule on the days of its last year, the oldest first. */
export interface GlanceNav {
  readonly dates: readonly string[]
  readonly nav: readonly number[]
  /** What was held on each day as places in `codes`; null: not told of that day. Absent in glances of older engines. */
  readonly codes?: readonly string[]
  readonly held?: readonly (readonly number[] | null)[]
}
