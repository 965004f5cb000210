import type { Row } from './table.ts'

/** `timing[].rule`: by what the whole exposure is cut. */
export const timingRules = {
  none: { label: '不启用' },
  ma_cross: { label: '均线' },
  threshold: { label: '因子阈值' },
} as const satisfies Record<string, Row>
export type TimingRule = keyof typeof timingRules
