import type { Row } from './table.ts'

export interface FillRow extends Row {
  /** Market fields of which the price is made. */
  readonly fields: readonly string[]
  readonly price: 'open' | 'close' | 'average'
  /** Trading days from the signal to the fill. */
  readonly delay: 0 | 1
}

/** `fill`: the price at which the orders of a signal are filled. */
export const fills = {
  close: { label: '当日收盘价', fields: ['close'], price: 'close', delay: 0 },
  next_open: { label: '次日开盘价', fields: ['open'], price: 'open', delay: 1 },
  next_close: { label: '次日收盘价', fields: ['close'], price: 'close', delay: 1 },
  next_vwap: { label: '次日均价', fields: ['amount', 'vol'], price: 'average', delay: 1 },
} as const satisfies Record<string, FillRow>
export type Fill = keyof typeof fills
