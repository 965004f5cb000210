import type { Row } from './table.ts'

/** Boards of the exchanges. */
export const boards = {
  SSE_MAIN: { label: '沪市主板' },
  SZSE_MAIN: { label: '深市主板' },
  CHINEXT: { label: '创业板' },
  STAR: { label: '科创板' },
  BSE: { label: '北交所' },
} as const satisfies Record<string, Row>
export type Board = keyof typeof boards
