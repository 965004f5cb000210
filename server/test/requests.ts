import type { BacktestBody, BinningBody, MarketId, Parameters, Settings } from '@convexa/contract'

/** A plain request: the cheapest `hold` by one factor, every `every` days, ideal execution. */
export function request(
  kind: MarketId,
  over: { factor?: string; hold?: number; every?: number; start: string; end: string; note?: string },
) {
  const body: BacktestBody = {
    parameters: parameters(kind, over.factor ?? 'close', over.hold ?? 5, over.every ?? 5),
    settings: settings(kind, over.start, over.end),
    ...(over.note !== undefined && { note: over.note }),
  }
  return body
}

export const parameters = (_kind: MarketId, factor: string, hold: number, every: number): Parameters => ({
  version: 1,
  universe: { markets: [], exclude_codes: [] },
  exclude: { call_status: [], st: false, list_days: 0, suspended: true, org_types: [], areas: [], industries: [] },
  filter_factors: [],
  rank_factors: [{ factor_key: factor, prefer: 'small', weight: 1, missing_process: 'exclude', neutralization: null, enable: true }],
  rank_method: 'rank',
  hold_method: {
    hold_range_type: 1,
    hold_range_start: 1,
    hold_range_end: hold,
    hold_weight_type: 1,
    hold_max_weight: 1,
    hold_threshold: 0,
    empty_slot: 'cash',
  },
  rebalance_method: { rebalance_type: 0, rebalance_value: every },
  stop_method: { stop_type: 0 },
  hold_days: 0,
})

const settings = (kind: MarketId, start: string, end: string): Settings => ({
  start_date: start,
  end_date: end,
  benchmark: `${kind}_ew`,
  capital: 100,
  cost: { buy_rate: 0.001, sell_rate: 0.001, stamp_tax: 0, min_fee: 0 },
  execution: 'ideal',
  fill: 'close',
  call_handling: 'last_day_close',
  delisting: 'last_price',
  adjust: 'raw',
})

/** Five bins of a factor over a year. */
export const binning = (kind: MarketId, over: Partial<BinningBody> = {}): BinningBody => ({
  factor: 'close',
  bins: 5,
  method: 'quantile',
  forward_days: [5],
  rebalance_days: 5,
  weight: 'equal',
  neutralization: null,
  settings: { start_date: '2022-02-01', end_date: '2022-12-30', benchmark: `${kind}_ew` },
  pool_mode: 'all',
  ...over,
})

/** Costs a worker seconds: twenty rankings over long windows on every day. `weight` makes it another rule each time. */
export function slowRequest(kind: MarketId, over: { start: string; end: string; weight?: number }): BacktestBody {
  const body = request(kind, { ...over, every: 1 })
  const [row] = body.parameters.rank_factors
  const rank_factors = Array.from({ length: 20 }, (_, i) => ({
    ...row!,
    weight: over.weight ?? 1,
    factor_key: `formula: ts_rank(close, ${250 - i}) + ts_rank(open, ${230 - i})`,
  }))
  return { ...body, parameters: { ...body.parameters, rank_factors } }
}
