import { convertibleBondFactors } from './convertible-bond.factors.ts'
import { convertibleBondFields } from './convertible-bond.fields.ts'
import type { Market } from './market.ts'

export const convertibleBond: Market = {
  kind: 'cb',
  label: '可转债',
  benchmark: 'cb_ew',
  fields: convertibleBondFields,
  factors: convertibleBondFactors,
  tickDecimals: 3,
  settlement: 0,
  redeemed: true,
  lot: () => ({ min: 10, step: 10 }),
  limits: () => ({ up: null, down: null }),
  fees: () => ({ stampSell: 0, transfer: 0 }),
}
