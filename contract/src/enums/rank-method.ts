import type { Row } from './table.ts'

export interface RankMethodRow extends Row {
  /** Adds up ranks, which forget how far values lie apart; else distances from the mean in standard deviations. */
  readonly ordinal: boolean
}

/** `rank_method`: how the factors of a ranking become one score. */
export const rankMethods = {
  rank: { label: '排名加权', ordinal: true },
  zscore: { label: 'Z 分加权', ordinal: false },
  percentile: { label: '分位加权', ordinal: true },
} as const satisfies Record<string, RankMethodRow>
export type RankMethod = keyof typeof rankMethods

/** Of new rules; a sentence does not mention it. */
export const defaultRankMethod = 'rank' satisfies RankMethod
