import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Kind } from './market.ts'
import { Parameters } from './strategy.ts'

const option = z.object({ value: z.union([z.string(), z.number()]), label: z.string() })
const options = z.array(option)

export const Template = z.object({
  key: z.string(),
  kind: Kind,
  name: z.string(),
  rule: z.string(),
  expect: z.string(),
  fails: z.string(),
  watch: z.string(),
  parameters: Parameters,
})
export type Template = z.output<typeof Template>

/** Enumerations and templates of the builder, and this user's limits. */
export const StrategyOptions = z.object({
  hold_weight_types: options,
  rebalance_types: options,
  stop_types: options,
  operations: options,
  missing_process: options,
  neutralizations: options,
  rank_methods: options,
  call_handlings: options,
  benchmarks: z.array(z.object({ value: z.string(), label: z.string(), kind: Kind, available: z.boolean() })),
  fills: options,
  executions: options,
  cost_presets: z.array(
    z.object({ label: z.string(), kind: Kind, buy_rate: z.number(), sell_rate: z.number(), slippage: z.number(), min_fee: z.number() }),
  ),
  templates: z.array(Template),
  /** First and last trading day of the loaded data, null where a market has none. */
  ranges: z.record(Kind, z.object({ start: z.string(), end: z.string() }).nullable()),
  limits: z.object({
    grid_cells: z.int(),
    rank_factors: z.int(),
    filter_factors: z.int(),
    runs_at_once: z.int(),
    daily: z.record(z.string(), z.object({ used: z.int(), max: z.int() })),
  }),
  features: z.object({ grid: z.record(Kind, z.boolean()) }),
})
export type StrategyOptions = z.output<typeof StrategyOptions>

export const reference = {
  closedDates: endpoint({
    method: 'GET',
    path: '/v1/quant/trade-calender/{year}/closed-dates',
    summary: '休市日',
    params: z.object({ year: z.coerce.number().int().min(1990).max(2100) }),
    data: z.array(z.string()),
  }),
  strategyOptions: endpoint({ method: 'GET', path: '/v1/quant/strategy/options', summary: '策略选项与模板', data: StrategyOptions }),
}
