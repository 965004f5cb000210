import type { Row } from './table.ts'

/** `bins[].method` of a binning: how the values of a factor are divided. */
export const binMethods = {
  quantile: { label: '等数量分箱' },
  value: { label: '等宽分箱' },
  category: { label: '按类别分箱' },
} as const satisfies Record<string, Row>
export type BinMethod = keyof typeof binMethods
