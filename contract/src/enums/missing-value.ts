import type { Row } from './table.ts'

export interface MissingValueRow extends Row {
  /** Where the stand-in comes from: there is none and the security is dropped, its own last value, the others of the day's pool, the worst score. */
  readonly from: 'nothing' | 'history' | 'pool' | 'score'
}

/** `missing_process`: what stands for an absent value of a ranking factor. */
export const missingValues = {
  exclude: { label: '剔除', from: 'nothing' },
  forward_fill: { label: '沿用前值', from: 'history' },
  market_mean: { label: '池内均值', from: 'pool' },
  market_median: { label: '池内中位数', from: 'pool' },
  market_min: { label: '池内最小值', from: 'pool' },
  market_max: { label: '池内最大值', from: 'pool' },
  worst: { label: '最差名次', from: 'score' },
} as const satisfies Record<string, MissingValueRow>
export type MissingValue = keyof typeof missingValues
