import type { Row } from './table.ts'

export interface CallHandlingRow extends Row {
  /** Held until the issuer pays, not sold before. */
  readonly redeemed: boolean
}

/** `call_handling`: when a bond with a known last trading day is left. */
export const callHandlings = {
  t_minus_1_close: { label: '最后交易日前一日收盘卖出', redeemed: false },
  last_day_close: { label: '最后交易日收盘卖出', redeemed: false },
  hold_to_redemption: { label: '持有到赎回兑付', redeemed: true },
} as const satisfies Record<string, CallHandlingRow>
export type CallHandling = keyof typeof callHandlings
