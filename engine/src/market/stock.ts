import type { Market } from './market.ts'
import { stockFactors } from './stock.factors.ts'
import { stockFields } from './stock.fields.ts'

export const stock: Market = {
  kind: 'stk',
  label: '股票',
  benchmark: 'stk_ew',
  fields: stockFields,
  factors: stockFactors,
  tickDecimals: 2,
  settlement: 1,
  redeemed: false,
  lot: () => ({ min: 100, step: 100 }),
  limits: () => ({ up: null, down: null }),
  fees: () => ({ stampSell: 0, transfer: 0 }),
}
