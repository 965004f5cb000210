import type { Parameters, Settings } from '@convexa/contract'

/** Three factors, small is good; the peer in Python says the same. */
const factors = ['formula: close/ref(close,5)-1', 'total_mv', 'vol']

/** The best twenty of three factors, every five days, textbook execution, from the first day that has all three. */
export function requestOn(dates: readonly string[]): { parameters: Parameters; settings: Settings } {
  return {
    parameters: {
      version: 1,
      universe: { markets: [], exclude_codes: [] },
      exclude: { st: false, list_days: 0, suspended: true, org_types: [], areas: [], industries: [] },
      filter_factors: [],
      rank_factors: factors.map((factor_key) => ({
        factor_key,
        prefer: 'small',
        weight: 1,
        missing_process: 'exclude',
        neutralization: null,
        enable: true,
      })),
      rank_method: 'rank',
      hold_method: {
        hold_range_type: 1,
        hold_range_start: 1,
        hold_range_end: 20,
        hold_weight_type: 1,
        hold_max_weight: 1,
        hold_threshold: 0,
        empty_slot: 'cash',
      },
      rebalance_method: { rebalance_type: 0, rebalance_value: 5 },
      stop_method: { stop_type: 0 },
      hold_days: 0,
    },
    settings: {
      start_date: dates[5]!,
      end_date: dates.at(-1)!,
      benchmark: 'stk_ew',
      capital: 100,
      cost: { buy_rate: 0.001, sell_rate: 0.001, stamp_tax: 0, min_fee: 0 },
      fill: 'close',
      execution: 'ideal',
      call_handling: 'last_day_close',
      delisting: 'last_price',
      adjust: 'qfq',
    },
  }
}
