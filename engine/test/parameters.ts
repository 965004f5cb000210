import type { Parameters, Settings } from '@convexa/contract'

type Parts = { [K in keyof Parameters]?: Parameters[K] extends object ? Partial<Parameters[K]> : Parameters[K] }

/** Parameters that exclude nothing and hold the first by `close`, with what a test says of them on top. */
export function parameters(over: Parts = {}): Parameters {
  const base: Parameters = {
    version: 1,
    universe: { markets: [], exclude_codes: [] },
    exclude: { call_status: [], st: false, list_days: 0, suspended: true, org_types: [], areas: [], industries: [] },
    filter_factors: [],
    rank_factors: [rankBy('close')],
    rank_method: 'rank',
    hold_method: {
      hold_range_type: 1,
      hold_range_start: 1,
      hold_range_end: 1,
      hold_weight_type: 1,
      hold_max_weight: 1,
      hold_threshold: 0,
      empty_slot: 'next',
    },
    rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
    stop_method: { stop_type: 0 },
    hold_days: 0,
  }
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    merged[key] = Array.isArray(value) || typeof value !== 'object' ? value : { ...(base[key as keyof Parameters] as object), ...value }
  }
  return merged as Parameters
}

export function rankBy(factor_key: string, over: Partial<Parameters['rank_factors'][number]> = {}): Parameters['rank_factors'][number] {
  return { factor_key, prefer: 'small', weight: 1, missing_process: 'exclude', neutralization: null, enable: true, ...over }
}

export function filterBy(
  factor_key: string,
  operation: Parameters['filter_factors'][number]['operation'],
  value: Parameters['filter_factors'][number]['value'],
  action: 'exclude' | 'keep' = 'exclude',
): Parameters['filter_factors'][number] {
  return { factor_key, action, operation, value, enable: true }
}

/** An ideal run without costs over the given days. */
export function settings(start_date: string, end_date: string, over: Partial<Settings> = {}): Settings {
  return {
    start_date,
    end_date,
    benchmark: 'cb_ew',
    capital: 10,
    cost: { buy_rate: 0, sell_rate: 0 },
    execution: 'ideal',
    fill: 'close',
    call_handling: 'last_day_close',
    delisting: 'last_price',
    adjust: 'qfq',
    ...over,
  }
}
