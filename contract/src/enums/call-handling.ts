import type { Row } from './table.ts'

/** `call_handling`: when a bond with a known last trading day is left. */
export const callHandlings = {
  t_minus_1_close: { label: '最后交易日前一日收盘卖出' },
  last_day_close: { label: '最后交易日收盘卖出' },
  hold_to_redemption: { label: '持有到赎回兑付' },
} as const satisfies Record<string, Row>
export type CallHandling = keyof typeof callHandlings
