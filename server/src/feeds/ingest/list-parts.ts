/** The parts of a day that a rule reads: those of its market's own day, and of bonds those of their shares' day. */

import type { MarketId } from '@convexa/contract'
import { dayParts, type ListPart, ofShares } from '../../db/tables/day-parts.ts'
import { partNames } from './day-parts.ts'
import { valuationFields } from './valuations.ts'

/** In the order in which they are shown. */
export const listParts: readonly ListPart[] = [...dayParts, ...Object.values(ofShares)]
export const listPartNames: Readonly<Record<ListPart, string>> = {
  ...partNames,
  ...{ share_bars: '正股行情', share_factors: '正股复权因子', share_valuations: '正股估值与股本' },
}

/** Parts whose numbers are read by every rule: prices, who is there, when a bond ends. */
const always: Readonly<Record<MarketId, readonly ListPart[]>> = {
  stk: ['bars', 'lists'],
  cb: ['bars', 'lists', 'announcements'],
}

/** Stored fields by the part that they come with. */
const fieldsOf: Readonly<Record<MarketId, Partial<Record<ListPart, readonly string[]>>>> = {
  stk: { factors: ['adj_factor'], valuations: [...valuationFields, 'turnover', 'turnover_free'] },
  cb: {
    valuations: ['pure_value'],
    prices: ['conv_price', 'conv_value', 'conv_prem'],
    sizes: ['remain_size', 'turnover'],
    share_bars: ['close_stk', 'pre_close_stk', 'vol_stk', 'amount_stk', 'conv_value', 'conv_prem'],
    share_factors: ['adj_factor_stk'],
    share_valuations: ['total_mv', 'circ_mv', 'pb', 'pe_ttm', 'ps_ttm', 'dv_ratio'],
  },
}

/** The parts of a day that a rule reads. `fields`: what it reads of the store. */
export function partsRead(kind: MarketId, fields: ReadonlySet<string>): ListPart[] {
  const read = Object.entries(fieldsOf[kind]).filter(([, keys]) => keys.some((key) => fields.has(key)))
  const parts = new Set<string>([...always[kind], ...read.map(([part]) => part)])
  return listParts.filter((part) => parts.has(part))
}
