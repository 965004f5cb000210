import type { Row } from './table.ts'

export interface BinMethodRow extends Row {
  /** What a bin is made of: as many members as the others, a span of values as wide as the others, one value. */
  readonly equal: 'count' | 'width' | 'value'
}

/** `bins[].method` of a binning: how the values of a factor are divided. */
export const binMethods = {
  quantile: { label: '等数量分箱', equal: 'count' },
  value: { label: '等宽分箱', equal: 'width' },
  category: { label: '按类别分箱', equal: 'value' },
} as const satisfies Record<string, BinMethodRow>
export type BinMethod = keyof typeof binMethods
