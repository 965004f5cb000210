import { byMarket, defaultMarketId, markets } from './market.ts'
import type { Row } from './table.ts'

export interface HoldWeightRow extends Row {
  /** The number of a security that its weight is made of; null: all weigh the same. */
  readonly by: 'rank' | 'size' | 'factor' | 'volatility' | null
  /** Name in a basket, whose list brings scores and no factors. */
  readonly basketLabel?: string
}

/** `hold_weight_type` (api.md 0.1). */
export const holdWeights = {
  1: { label: '等权', by: null },
  2: { label: '按名次', by: 'rank' },
  3: { label: markets[defaultMarketId].sizeLabel, by: 'size', byMarket: byMarket((id) => markets[id].sizeLabel) },
  4: { label: '按因子', by: 'factor', basketLabel: '按得分' },
  5: { label: '波动率倒数', by: 'volatility' },
} as const satisfies Record<number, HoldWeightRow>
export type HoldWeight = keyof typeof holdWeights

/** Whether a weight is made of a factor that the rule names. */
export const isByFactor = (type: HoldWeight): boolean => holdWeights[type].by === 'factor'
