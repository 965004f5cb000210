import type { Row } from './table.ts'

/** `execution`: the execution model. */
export const executions = {
  realistic: { label: '真实撮合', hint: '整手、涨跌停、费用' },
  ideal: { label: '理想撮合', hint: '不限手数，全部成交' },
} as const satisfies Record<string, Row>
export type Execution = keyof typeof executions
