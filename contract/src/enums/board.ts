import type { Row } from './table.ts'

export interface BoardRow extends Row {
  readonly exchange: 'SSE' | 'SZSE' | 'BSE'
  /** 主板. */
  readonly main: boolean
}

/** Boards of the exchanges. */
export const boards = {
  SSE_MAIN: { label: '沪市主板', exchange: 'SSE', main: true },
  SZSE_MAIN: { label: '深市主板', exchange: 'SZSE', main: true },
  CHINEXT: { label: '创业板', exchange: 'SZSE', main: false },
  STAR: { label: '科创板', exchange: 'SSE', main: false },
  BSE: { label: '北交所', exchange: 'BSE', main: false },
} as const satisfies Record<string, BoardRow>
export type Board = keyof typeof boards
