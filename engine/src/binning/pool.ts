/** The pool that 分箱 cuts into bins, as a screen, and what it reads. */
import type { BinningBody, Parameters } from '@convexa/contract'
import { storedFor } from '../market/derived-columns.ts'
import type { Market } from '../market/market.ts'
import { needsOf } from '../needs/needs.ts'
import { returnPrice } from '../screen/history.ts'
import { binMeanFactors } from './bin-means.ts'
import { textNamed } from './texts.ts'

/** The screen whose pool is binned: conditions and exclusions as asked, scored by the factor itself. */
export function binningScreen(body: BinningBody): Parameters {
  const row = { prefer: 'large', weight: 1, neutralization: null, enable: true } as const
  // A text cannot rank, so the close stands in, which every traded security has. Without a second value a security is still in a bin of the first.
  const rank_factors: Parameters['rank_factors'] = [
    { ...row, factor_key: textNamed(body.factor) ? 'close' : body.factor, missing_process: 'exclude' },
    ...(body.second ? [{ ...row, factor_key: body.second.factor, missing_process: 'worst' as const }] : []),
  ]
  const weight = { hold_weight_type: body.weight === 'cap' ? 3 : 1 } as const
  if (body.pool_mode === 'filtered' && body.parameters) {
    const { timing: _none, ...rest } = body.parameters
    return { ...rest, rank_factors, rank_method: 'rank', hold_method: { ...rest.hold_method, ...weight } }
  }
  return {
    version: 1,
    universe: { markets: [], exclude_codes: [] },
    exclude: { st: false, list_days: 0, suspended: true, org_types: [], areas: [], industries: [] },
    filter_factors: [],
    rank_factors,
    rank_method: 'rank',
    hold_method: {
      hold_range_type: 1,
      hold_range_start: 1,
      hold_range_end: 10,
      hold_max_weight: 1,
      hold_threshold: 0,
      empty_slot: 'next',
      ...weight,
    },
    rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
    stop_method: { stop_type: 0 },
    hold_days: 0,
  }
}

/** What 分箱 reads of the store, and what its factor costs (as `needsOf` of a screen). */
export function binningNeeds(
  market: Market,
  available: ReadonlySet<string>,
  body: BinningBody,
  series?: ReadonlySet<string>,
): ReturnType<typeof needsOf> {
  const parameters = binningScreen(body)
  const needs = needsOf(market, available, parameters, null, series)
  if (!needs.ok) return needs
  const benchmarks = new Set([...needs.needs.benchmarks, body.settings.benchmark])
  const neededFields = binMeanFactors(market, available).flatMap(({ expression }) => [...expression.needs.fields])
  const fields = new Set([...needs.needs.fields, ...[returnPrice(market), ...neededFields].flatMap((key) => storedFor(key, available))])
  return { ...needs, needs: { ...needs.needs, fields, benchmarks } }
}
