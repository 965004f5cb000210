import type { MarketId } from '@convexa/contract'

/** What an order costs where nothing else is said (api.md 0.2): fractions per side, and yuan at least. Duties of the law are the engine's. */
export const usualCosts: Record<MarketId, { buy_rate: number; sell_rate: number; slippage: number; min_fee: number }> = {
  cb: { buy_rate: 0.001, sell_rate: 0.001, slippage: 0, min_fee: 0 },
  stk: { buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 },
}
