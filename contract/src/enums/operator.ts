import type { Row } from './table.ts'

/** What a condition compares with: one number or word, two numbers, a percentile (0–1), a list of words, nothing. */
export type Operands = 'one' | 'range' | 'share' | 'list' | 'none'

export interface OperatorRow extends Row {
  readonly operands: Operands
  /** Takes numbers only. */
  readonly numeric: boolean
  /** How values compare with the one at the percentile; null: no percentile. */
  readonly atShare: 'gt' | 'lt' | null
}

/** `operation` of a filter row, as builder, funnel and reasons say it. */
export const operators = {
  gt: { label: '大于', operands: 'one', numeric: true, atShare: null },
  ge: { label: '不小于', operands: 'one', numeric: true, atShare: null },
  lt: { label: '小于', operands: 'one', numeric: true, atShare: null },
  le: { label: '不大于', operands: 'one', numeric: true, atShare: null },
  eq: { label: '等于', operands: 'one', numeric: false, atShare: null },
  ne: { label: '不等于', operands: 'one', numeric: false, atShare: null },
  between: { label: '介于', operands: 'range', numeric: true, atShare: null },
  gt_rank: { label: '分位高于', operands: 'share', numeric: true, atShare: 'gt' },
  lt_rank: { label: '分位低于', operands: 'share', numeric: true, atShare: 'lt' },
  in: { label: '属于', operands: 'list', numeric: false, atShare: null },
  is_null: { label: '为空', operands: 'none', numeric: false, atShare: null },
} as const satisfies Record<string, OperatorRow>
export type Operation = keyof typeof operators

export const operandsOf = (operation: Operation): Operands => operators[operation].operands
