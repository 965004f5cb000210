import type { Row } from './table.ts'

/** What a stop's numbers are measured from. */
export const stopBases = {
  cost: { label: '成本价' },
  prev_close: { label: '昨收价' },
} as const satisfies Record<string, Row>
export type StopBase = keyof typeof stopBases
