import type { Row } from './table.ts'

export interface RebalanceTypeRow extends Row {
  /** The unit behind 每 in the builder. */
  readonly short: string
  /** `rebalance_value` counts trading days of this period, from its end where negative; null: it is an interval of trading days. */
  readonly period: 'week' | 'month' | null
  /** Largest `rebalance_value`; of a period the smallest is −max, and 0 is none. */
  readonly max: number
  /** Trading days from one rotation to the next, about; null: `rebalance_value`. */
  readonly days: number | null
}

/** `rebalance_type`: when the list is made anew. */
export const rebalanceTypes = {
  0: { label: '每 N 个交易日', short: '个交易日', period: null, max: 250, days: null },
  1: { label: '每周第 N 个交易日', short: '周', period: 'week', max: 5, days: 5 },
  2: { label: '每月第 N 个交易日', short: '月', period: 'month', max: 23, days: 21 },
} as const satisfies Record<number, RebalanceTypeRow>
export type RebalanceType = keyof typeof rebalanceTypes
export type RebalancePeriod = 'week' | 'month'

/** The period whose days `rebalance_value` counts; null: every N trading days. */
export const periodOf = ({ rebalance_type: type }: { readonly rebalance_type: RebalanceType }): RebalancePeriod | null =>
  rebalanceTypes[type].period

export const rebalanceLabel = '轮动周期'
