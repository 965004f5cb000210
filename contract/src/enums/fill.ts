import type { Row } from './table.ts'

export interface FillRow extends Row {
  /** Market fields of which the price is made. */
  readonly fields: readonly string[]
}

/** `fill`: the price at which the orders of a signal are filled. */
export const fills = {
  close: { label: '当日收盘价', fields: ['close'] },
  next_open: { label: '次日开盘价', fields: ['open'] },
  next_close: { label: '次日收盘价', fields: ['close'] },
  next_vwap: { label: '次日均价', fields: ['amount', 'vol'] },
} as const satisfies Record<string, FillRow>
export type Fill = keyof typeof fills
