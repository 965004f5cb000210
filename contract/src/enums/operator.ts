import type { Row } from './table.ts'

/** What a condition compares with: one number or word, two numbers, a percentile (0–1), a list of words, nothing. */
export type Operands = 'one' | 'range' | 'share' | 'list' | 'none'

export interface OperatorRow extends Row {
  readonly operands: Operands
  /** Takes numbers only. */
  readonly numeric: boolean
}

/** `operation` of a filter row, as builder, funnel and reasons say it. */
export const operators = {
  gt: { label: '大于', operands: 'one', numeric: true },
  ge: { label: '不小于', operands: 'one', numeric: true },
  lt: { label: '小于', operands: 'one', numeric: true },
  le: { label: '不大于', operands: 'one', numeric: true },
  eq: { label: '等于', operands: 'one', numeric: false },
  ne: { label: '不等于', operands: 'one', numeric: false },
  between: { label: '介于', operands: 'range', numeric: true },
  gt_rank: { label: '分位高于', operands: 'share', numeric: true },
  lt_rank: { label: '分位低于', operands: 'share', numeric: true },
  in: { label: '属于', operands: 'list', numeric: false },
  is_null: { label: '为空', operands: 'none', numeric: false },
} as const satisfies Record<string, OperatorRow>
export type Operation = keyof typeof operators

export const operandsOf = (operation: Operation): Operands => operators[operation].operands
