import type { MarketId } from '@convexa/contract'
import { convertibleBond } from './convertible-bond.ts'
import type { CustomFactor, Market } from './market.ts'
import { stock } from './stock.ts'

export const markets: Readonly<Record<MarketId, Market>> = { cb: convertibleBond, stk: stock }

/** The market with a user's custom factors added. */
export function withOwn(market: Market, custom: readonly CustomFactor[]): Market {
  return custom.length === 0 ? market : { ...market, custom: new Map(custom.map((factor) => [factor.key, factor])) }
}
