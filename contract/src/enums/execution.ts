import type { Row } from './table.ts'

export interface ExecutionRow extends Row {
  /** A textbook market: no lots, no price limits, no bound by the day's turnover, and no payouts. */
  readonly frictionless: boolean
}

/** `execution`: the execution model. */
export const executions = {
  realistic: { label: '真实成交', hint: '整手、涨跌停、费用', frictionless: false },
  ideal: { label: '理想成交', hint: '不限手数，全部成交', frictionless: true },
} as const satisfies Record<string, ExecutionRow>
export type Execution = keyof typeof executions
