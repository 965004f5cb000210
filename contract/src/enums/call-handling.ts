import type { Row } from './table.ts'

export interface CallHandlingRow extends Row {
  /** Held until the issuer pays, not sold before. */
  readonly redeemed: boolean
  /** Sold so many trading days before the last. */
  readonly daysBefore: 0 | 1
}

/** `call_handling`: when a bond with a known last trading day is left. */
export const callHandlings = {
  t_minus_1_close: { label: '最后交易日前一日收盘卖出', redeemed: false, daysBefore: 1 },
  last_day_close: { label: '最后交易日收盘卖出', redeemed: false, daysBefore: 0 },
  hold_to_redemption: { label: '持有到赎回兑付', redeemed: true, daysBefore: 0 },
} as const satisfies Record<string, CallHandlingRow>
export type CallHandling = keyof typeof callHandlings
