import type { Row } from './table.ts'

/** `account_type` of a broker's account. */
export const accountTypes = { STOCK: { label: '普通账户' }, CREDIT: { label: '信用账户' } } as const satisfies Record<string, Row>
export type AccountType = keyof typeof accountTypes

/** `client_type`. mini: miniQMT with a Python beside it; big: the script runs inside the terminal. */
export const clientTypes = { mini: { label: 'miniQMT' }, big: { label: '大 QMT' } } as const satisfies Record<string, Row>
export type ClientType = keyof typeof clientTypes

/** `price_mode` of a trading config: the price of an order. */
export const priceModes = {
  1: { label: '对手价', needsOffset: false },
  2: { label: '最新价', needsOffset: false },
  3: { label: '指定超价', needsOffset: true },
} as const satisfies Record<number, Row & { readonly needsOffset: boolean }>
export type PriceMode = keyof typeof priceModes
