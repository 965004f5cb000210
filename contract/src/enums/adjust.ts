import type { Row } from './table.ts'

export interface AdjustmentRow extends Row {
  /** Prices are not those of the day: dividends and splits are worked into them. */
  readonly adjusted: boolean
  /** The day whose prices stay as they were traded; null: every day's. */
  readonly anchor: 'first' | 'last' | null
}

/** `adjust`: how prices account for dividends and splits. */
export const adjustments = {
  raw: { label: '不复权', hint: '含分红送转', adjusted: false, anchor: null },
  qfq: { label: '前复权', hint: '数据已前复权', adjusted: true, anchor: 'last' },
  hfq: { label: '后复权', hint: '数据已后复权', adjusted: true, anchor: 'first' },
} as const satisfies Record<string, AdjustmentRow>
export type Adjustment = keyof typeof adjustments

export type Adjusted = { [A in Adjustment]: (typeof adjustments)[A]['adjusted'] extends true ? A : never }[Adjustment]

export const isAdjusted = (adjust: Adjustment): adjust is Adjusted => adjustments[adjust].adjusted
