import type { Row } from './table.ts'

/** States of a backtest run by their names in code. */
export const runStatus = { queued: 0, running: 1, done: 2, failed: 3, cancelled: 4, timedOut: 5, interrupted: 6 } as const

/** `status` of a run (api.md 0.1). */
export const runStatuses = {
  0: { label: '排队' },
  1: { label: '运行中' },
  2: { label: '完成' },
  3: { label: '失败' },
  4: { label: '已取消' },
  5: { label: '超时' },
  6: { label: '中断' },
} as const satisfies Record<(typeof runStatus)[keyof typeof runStatus], Row>
export type RunStatus = keyof typeof runStatuses
