import type { Row } from './table.ts'

/** States of `reset_status`, the revision of the conversion price. The place in this order is the factor's value, the label its text. */
export const resetStates = {
  none: { label: '无' },
  counting: { label: '计数中' },
  near: { label: '临近触发' },
  met: { label: '已满足下修条件' },
  declined: { label: '公告不下修' },
  proposed: { label: '提议下修' },
} as const satisfies Record<string, Row>
export type ResetState = keyof typeof resetStates
