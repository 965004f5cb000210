import type { Row } from './table.ts'

/** `missing_process`: what stands for an absent value of a ranking factor. */
export const missingValues = {
  exclude: { label: '剔除' },
  forward_fill: { label: '沿用前值' },
  market_mean: { label: '池内均值' },
  market_median: { label: '池内中位数' },
  market_min: { label: '池内最小值' },
  market_max: { label: '池内最大值' },
  worst: { label: '最差名次' },
} as const satisfies Record<string, Row>
export type MissingValue = keyof typeof missingValues
