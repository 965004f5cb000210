import { kinds, type MarketId, type StrategyOptions } from '@convexa/contract'
import { benchmarkLabel, offeredBenchmarks } from '@convexa/contract/enums/benchmark'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { neutralizations, noNeutralization } from '@convexa/contract/enums/neutralization'
import { operators } from '@convexa/contract/enums/operator'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { stopTypes } from '@convexa/contract/enums/stop-type'
import { choicesOf, labelOf } from '@convexa/contract/enums/table'
import { isRate, markets } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { findMarket, type LoadedMarket } from '../quant/loaded-market.ts'
import { runsAtOnce } from '../queue/jobs.ts'
import { computeItem } from '../usage/ledger.ts'
import { limits, mostFactors, planOf } from '../usage/limits.ts'
import { usesToday } from '../usage/quota.ts'
import { templatesOf } from './templates.ts'
import { usualCosts } from './usual-costs.ts'

type Labels = StrategyOptions['operations']
/** Without hints: a select of another client shows labels alone. */
const options = (table: Parameters<typeof choicesOf>[0]): Labels =>
  choicesOf(table).map(({ value, label }) => ({ value: value as string | number, label }))

/** Words of the builder's choices (product.md 2.11). */
export const enumerations = {
  hold_weight_types: options(holdWeights),
  rebalance_types: options(rebalanceTypes),
  stop_types: options(stopTypes),
  operations: options(operators),
  missing_process: options(missingValues),
  neutralizations: kinds.flatMap((kind) => [
    { value: noNeutralization, label: labelOf(neutralizations, noNeutralization), kind },
    ...markets[kind].neutralizations.map(({ key, label }) => ({ value: key, label, kind })),
  ]),
  rank_methods: options(rankMethods),
  call_handlings: options(callHandlings),
  fills: options(fills),
  executions: options(executions),
}

/** Benchmarks that the forms offer even before their data are loaded, the default of the market first. */
export const usualBenchmarks = (kind: MarketId): (readonly [code: string, label: string])[] =>
  offeredBenchmarks[kind].map((code) => [code, benchmarkLabel(code)])

/** api.md 0.2; the first of a kind is its default. */
const costPresets: StrategyOptions['cost_presets'] = [
  { label: '可转债：单边千分之一', kind: 'cb', ...usualCosts.cb },
  { label: '可转债：保守，单边千分之二', kind: 'cb', buy_rate: 0.002, sell_rate: 0.002, slippage: 0, min_fee: 0 },
  { label: '股票：佣金万分之二点五，最低 5 元，滑点千分之一', kind: 'stk', ...usualCosts.stk },
  { label: '股票：保守，佣金万分之三，滑点千分之二', kind: 'stk', buy_rate: 0.0003, sell_rate: 0.0003, slippage: 0.002, min_fee: 5 },
]

/** Everything that the builder offers, for the data that are loaded and the plan of this user. */
export async function strategyOptions(
  db: Kysely<Database>,
  dataDir: string,
  user: { id: string; isDemo?: boolean },
): Promise<StrategyOptions> {
  const tier = await planOf(db, user.id)
  const used = await usesToday(db, user.id)
  const found = await Promise.all(kinds.map((kind) => findMarket(db, dataDir, kind)))
  const market = (kind: MarketId): LoadedMarket | null => found[kinds.indexOf(kind)] ?? null
  return {
    ...enumerations,
    benchmarks: kinds.flatMap((kind) => benchmarksOf(kind, market(kind))),
    cost_presets: costPresets,
    templates: kinds.flatMap((kind) => templatesOf(kind, market(kind)?.available ?? null)),
    ranges: { cb: rangeOf(market('cb')), stk: rangeOf(market('stk')) },
    limits: {
      grid_cells: limits[tier].gridCells,
      strategies: limits[tier].strategies,
      groups: limits[tier].groups,
      rank_factors: mostFactors.rank,
      filter_factors: mostFactors.filter,
      runs_at_once: runsAtOnce[user.isDemo ? 'free' : tier],
      daily: {
        ...Object.fromEntries(Object.entries(limits[tier].daily).map(([item, max]) => [item, { used: used.get(item) ?? 0, max }])),
        compute_seconds: { used: Math.ceil((used.get(computeItem) ?? 0) / 1_000), max: limits[tier].computeSeconds },
      },
    },
    // Bonds only, as the specification has it.
    features: { grid: { cb: true, stk: false } },
  }
}

const rangeOf = (market: LoadedMarket | null) => market && { start: market.snapshot.firstDate, end: market.snapshot.lastDate }

/** The usual ones in their order, then whatever else is loaded that has a price. */
function benchmarksOf(kind: MarketId, market: LoadedMarket | null): StrategyOptions['benchmarks'] {
  const loaded = new Map((market?.benchmarks ?? []).flatMap(({ code, name }) => (isRate(code) ? [] : [[code, name] as const])))
  const usual = new Map(usualBenchmarks(kind))
  const all = new Map([...usual, ...[...loaded].filter(([code]) => !usual.has(code))])
  // The data's own name wins: the demo market's 000300 is not the real one, and says so.
  return [...all].map(([value, label]) => ({ value, label: loaded.get(value) ?? label, kind, available: loaded.has(value) }))
}
