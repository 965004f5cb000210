import type { Row } from './table.ts'

export interface StopBaseRow extends Row {
  /** Changes every trading day. */
  readonly daily: boolean
}

/** What a stop's numbers are measured from. */
export const stopBases = {
  cost: { label: '成本价', daily: false },
  prev_close: { label: '昨收价', daily: true },
} as const satisfies Record<string, StopBaseRow>
export type StopBase = keyof typeof stopBases
