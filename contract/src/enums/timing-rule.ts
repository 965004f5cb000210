import type { Row } from './table.ts'

export interface TimingRuleRow extends Row {
  /** What its value is: days of a moving average, the level of a factor, nothing. */
  readonly value: 'days' | 'level' | null
}

/** `timing[].rule`: by what the whole exposure is cut. */
export const timingRules = {
  none: { label: '不启用', value: null },
  ma_cross: { label: '均线', value: 'days' },
  threshold: { label: '因子阈值', value: 'level' },
} as const satisfies Record<string, TimingRuleRow>
export type TimingRule = keyof typeof timingRules
