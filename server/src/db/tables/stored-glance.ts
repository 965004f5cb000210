import type { StrategySummary } from '@convexa/contract'
import type { ListPart } from './day-parts.ts'

/** A glance as it is kept; what depends on the moment of reading is added then. */
export type StoredGlance = Omit<StrategySummary, 'computed_at' | 'stale' | 'backtest_id' | 'data_note'>

/** The rule as it was followed since it was saved, on the data of now. */
export interface FollowedNav {
  readonly dates: readonly string[]
  readonly nav: readonly number[]
  /** Absent in what older engines followed. */
  readonly market?: { readonly label: string; readonly nav: readonly number[] }
  /**
   * Codes held after the last of the days, the parts of a day that the rule reads, and the engine: to record that day once these parts have
   * come. Absent in older ones.
   */
  readonly held?: readonly string[]
  readonly reads?: readonly ListPart[]
  readonly engine?: string
}

/** Net values of the rule on the days of its last year, the oldest first. */
export interface GlanceNav {
  readonly dates: readonly string[]
  readonly nav: readonly number[]
  /** What was held on each day as places in `codes`; null: not told of that day. Absent in glances of older engines. */
  readonly codes?: readonly string[]
  readonly held?: readonly (readonly number[] | null)[]
}
