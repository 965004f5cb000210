import type { Row } from './table.ts'

/** `rank_method`: how the factors of a ranking become one score. */
export const rankMethods = {
  rank: { label: '排名加权' },
  zscore: { label: 'Z 分加权' },
  percentile: { label: '分位加权' },
} as const satisfies Record<string, Row>
export type RankMethod = keyof typeof rankMethods
