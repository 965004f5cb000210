import type { Row } from './table.ts'

/** `adjust`: how prices account for dividends and splits. */
export const adjustments = {
  raw: { label: '不复权', hint: '含分红送转' },
  qfq: { label: '前复权', hint: '数据已前复权' },
  hfq: { label: '后复权', hint: '数据已后复权' },
} as const satisfies Record<string, Row>
export type Adjustment = keyof typeof adjustments
