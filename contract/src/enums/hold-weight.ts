import type { Row } from './table.ts'

export interface HoldWeightRow extends Row {
  /** Name in a basket, whose list brings scores and no factors. */
  readonly basketLabel?: string
}

/** `hold_weight_type` (api.md 0.1). */
export const holdWeights = {
  1: { label: '等权' },
  2: { label: '按名次' },
  3: { label: '按规模', byMarket: { stk: '按市值' } },
  4: { label: '按因子', basketLabel: '按得分' },
  5: { label: '波动率倒数' },
} as const satisfies Record<number, HoldWeightRow>
export type HoldWeight = keyof typeof holdWeights
