import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { MarketId, whole } from './scalars.ts'
import { Parameters } from './strategy.ts'

const option = z.object({ value: z.union([z.string(), z.number()]), label: z.string() })
const options = z.array(option)

export const Template = z.object({
  key: z.string(),
  kind: MarketId,
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
  /** Of a rank factor (`neutralization`), by market. */
  neutralizations: z.array(z.object({ value: z.string(), label: z.string(), kind: MarketId })),
  rank_methods: options,
  call_handlings: options,
  benchmarks: z.array(z.object({ value: z.string(), label: z.string(), kind: MarketId, available: z.boolean() })),
  fills: options,
  executions: options,
  cost_presets: z.array(
    z.object({ label: z.string(), kind: MarketId, buy_rate: z.number(), sell_rate: z.number(), slippage: z.number(), min_fee: z.number() }),
  ),
  templates: z.array(Template),
  /** First and last trading day of the loaded data, null where a market has none. */
  ranges: z.record(MarketId, z.object({ start: z.string(), end: z.string() }).nullable()),
  limits: z.object({
    grid_cells: z.int(),
    /** Saved, of each market. */
    strategies: z.int(),
    groups: z.int(),
    rank_factors: z.int(),
    filter_factors: z.int(),
    runs_at_once: z.int(),
    daily: z.record(z.string(), z.object({ used: z.int(), max: z.int() })),
  }),
  features: z.object({ grid: z.record(MarketId, z.boolean()) }),
})
export type StrategyOptions = z.output<typeof StrategyOptions>

/** Every dictionary there is (domain.md 9.1, as far as it is truly known). Those of a market's attributes come from its loaded data. */
export const dictionaryKeys = [
  'cb_market',
  'cb_call_status',
  'cb_rating',
  'cb_yy_rating',
  'cb_industry_1',
  'cb_org_type',
  'cb_area',
  'stk_market',
  'stk_industry_1',
  'stk_org_type',
  'stk_area',
  'stk_index',
  'rotation_type',
  'rebalance_type',
  'hold_weight_type',
  'hold_range_type',
  'stop_type',
  'timing_type',
  'operation',
  'missing_process',
  'neutralization',
  'rank_method',
  'benchmark',
  'bin_method',
  'run_status',
  'order_status',
  'qmt_account_type',
  'qmt_price_type',
  'view_style',
] as const
export const DictionaryKey = z.enum(dictionaryKeys)
export type DictionaryKey = z.output<typeof DictionaryKey>

/** One dictionary: its values in the order in which a form offers them; none where the market has no such data. */
export const Dictionary = z.object({ dictionary_key: DictionaryKey, options })
export type Dictionary = z.output<typeof Dictionary>
export type DictionaryOption = z.output<typeof option>

/** A function of the formula language as an editor offers it. */
export const FactorFunction = z.object({
  name: z.string(),
  aliases: z.array(z.string()),
  label: z.string(),
  category: z.string(),
  args: z.array(
    z.object({
      name: z.string(),
      /** What may stand here: a series, a window in trading days, a constant, one of `choices`, a quoted text, … */
      type: z.string(),
      desc: z.string(),
      optional: z.boolean(),
      default: z.union([z.number(), z.string()]).optional(),
      min: z.number().optional(),
      max: z.number().optional(),
      choices: z.array(z.string()).optional(),
      /** May be written again and again. */
      repeat: z.boolean().optional(),
    }),
  ),
  /** Every function gives a number for each security and day; a truth is 1 or 0. */
  returns: z.literal('number'),
  example: z.string(),
  description: z.string(),
  is_cross_section: z.boolean(),
  /** Trading days read before the day itself; null where the arguments say how many. */
  lookback: z.int().nullable(),
})
export type FactorFunction = z.output<typeof FactorFunction>

const calls = callTable.reference

export const reference = {
  factorFunctions: endpoint(calls.factorFunctions, {
    summary: '公式函数',
    data: z.array(FactorFunction),
  }),
  dictionaryItems: endpoint(calls.dictionaryItems, {
    summary: '数据字典',
    query: z.object({ keys: z.union([DictionaryKey, z.array(DictionaryKey).min(1).max(dictionaryKeys.length)]) }),
    data: z.array(Dictionary),
  }),
  closedDates: endpoint(calls.closedDates, {
    summary: '休市日',
    params: z.object({ year: whole(1990, 2100) }),
    data: z.array(z.string()),
  }),
  strategyOptions: endpoint(calls.strategyOptions, { summary: '策略选项与模板', data: StrategyOptions }),
}
