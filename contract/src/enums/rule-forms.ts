import type { NamedBenchmark } from './benchmark.ts'
import type { Board } from './board.ts'
import type { CallStatus } from './call-status.ts'
import type { MarketId } from './market.ts'

/** Fractions of an order's amount per side, and yuan at least. Duties of the law are the engine's. */
interface OrderCost {
  readonly buy_rate: number
  readonly sell_rate: number
  readonly slippage: number
  readonly min_fee: number
}
interface CostPreset {
  readonly label: string
  readonly cost: OrderCost
}

/** What the forms of a rule offer in a market and begin with. Apart from `markets`, which every first load of a browser has. */
interface RuleForms {
  /** Boards on which it trades. */
  readonly boards: readonly Board[]
  /** Offered even before their data are loaded, the default first. */
  readonly benchmarks: readonly NamedBenchmark[]
  /** The default first (api.md 0.2). */
  readonly costs: readonly [CostPreset, ...CostPreset[]]
  /** Dictionary of third parties' grades by which an exclusion may be made. */
  readonly gradeDictionary: 'cb_yy_rating' | null
  /** Most securities that a rule may hold. */
  readonly largestHold: number
  /** Most securities of one issuer in a new rule; null: a rule has no such bound. */
  readonly maxPerIssuer: number | null
  /** States of a call that a new rule excludes. */
  readonly excludedCallStatuses: readonly CallStatus[]
  /** What a new rule ranks by: the first that the loaded data have. Every file has closing prices. */
  readonly firstFactors: readonly string[]
  /** What a binning begins with where the rule ranks by nothing. */
  readonly firstBinFactor: string
}

export const ruleForms: Readonly<Record<MarketId, RuleForms>> = {
  cb: {
    boards: ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR'],
    benchmarks: ['cb_ew', '000300', '000832', '000852'],
    costs: [
      { label: '可转债：单边千分之一', cost: { buy_rate: 0.001, sell_rate: 0.001, slippage: 0, min_fee: 0 } },
      { label: '可转债：保守，单边千分之二', cost: { buy_rate: 0.002, sell_rate: 0.002, slippage: 0, min_fee: 0 } },
    ],
    gradeDictionary: 'cb_yy_rating',
    largestHold: 100,
    maxPerIssuer: 1,
    excludedCallStatuses: ['announced', 'executing', 'maturity'],
    firstFactors: ['dblow', 'close'],
    firstBinFactor: 'conv_prem',
  },
  stk: {
    boards: ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR', 'BSE'],
    benchmarks: ['000300', 'stk_ew', '000905', '000852', '932000'],
    costs: [
      {
        label: '股票：佣金万分之二点五，最低 5 元，滑点千分之一',
        cost: { buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 },
      },
      { label: '股票：保守，佣金万分之三，滑点千分之二', cost: { buy_rate: 0.0003, sell_rate: 0.0003, slippage: 0.002, min_fee: 5 } },
    ],
    gradeDictionary: null,
    largestHold: 300,
    maxPerIssuer: null,
    excludedCallStatuses: [],
    firstFactors: ['total_mv', 'pct_chg_20'],
    firstBinFactor: 'total_mv',
  },
}
