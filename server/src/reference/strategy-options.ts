import type { MarketId, StrategyOptions } from '@convexa/contract'
import { benchmarkLabel } from '@convexa/contract/enums/benchmark'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { byMarket, marketIds, markets as marketRows } from '@convexa/contract/enums/market'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { neutralizations, noNeutralization } from '@convexa/contract/enums/neutralization'
import { operators } from '@convexa/contract/enums/operator'
import { rankMethods } from '@convexa/contract/enums/rank-method'
import { rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
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
  neutralizations: marketIds.flatMap((kind) => [
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
  ruleForms[kind].benchmarks.map((code) => [code, benchmarkLabel(code)])

const presets: StrategyOptions['cost_presets'] = marketIds.flatMap((kind) =>
  ruleForms[kind].costs.map(({ label, cost }) => ({ label, kind, ...cost })),
)

/** Everything that the builder offers, for the data that are loaded and the plan of this user. */
export async function strategyOptions(
  db: Kysely<Database>,
  dataDir: string,
  user: { id: string; isDemo?: boolean },
): Promise<StrategyOptions> {
  const tier = await planOf(db, user.id)
  const used = await usesToday(db, user.id)
  const found = await Promise.all(marketIds.map((kind) => findMarket(db, dataDir, kind)))
  const market = (kind: MarketId): LoadedMarket | null => found[marketIds.indexOf(kind)] ?? null
  return {
    ...enumerations,
    benchmarks: marketIds.flatMap((kind) => benchmarksOf(kind, market(kind))),
    cost_presets: presets,
    templates: marketIds.flatMap((kind) => templatesOf(kind, market(kind)?.available ?? null)),
    ranges: byMarket((kind) => rangeOf(market(kind))),
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
    features: { grid: byMarket((kind) => marketRows[kind].hasGrid) },
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
