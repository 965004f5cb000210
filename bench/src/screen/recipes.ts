import type { Parameters } from '@convexa/contract'
import { chance } from '../../../engine/test/fixtures/chance.ts'
import { filterBy, parameters, rankBy } from '../../../engine/test/fixtures/parameters.ts'

export const factors = ['close', 'turnover', 'total_mv', 'pe_ttm', 'pb', 'ps_ttm', 'dv_ratio', 'roe_ttm', 'or_yoy', 'debt_to_assets']

/** What changes between two screens. */
export type Change = 'all again' | 'one filter changed' | '3 of 10 factors ticked'
export const changes: readonly Change[] = ['all again', 'one filter changed', '3 of 10 factors ticked']

/** Ten factors, twenty conditions: each factor cut at both ends, so that about half of the market remains. */
export function recipe(change: Change, turn: number): Parameters {
  const luck = chance(turn + 1)
  const moved = change === 'one filter changed' ? turn % 20 : -1
  const bounds = factors.flatMap((_, f) => [0.015, 0.985].map((bound, side) => bound + (2 * f + side === moved ? 0.01 * luck.next() : 0)))
  const ticked = change === '3 of 10 factors ticked' ? new Set([turn % 10, (turn + 3) % 10, (turn + 7) % 10]) : null
  return parameters({
    exclude: { suspended: true, list_days: 0 },
    filter_factors: factors.flatMap((key, f) => [filterBy(key, 'lt', bounds[2 * f]!), filterBy(key, 'gt', bounds[2 * f + 1]!)]),
    rank_factors: factors.map((key, f) =>
      rankBy(key, { prefer: f % 2 === 0 ? 'small' : 'large', weight: 1 + f, enable: ticked === null || ticked.has(f) }),
    ),
    hold_method: { hold_range_end: 20, hold_threshold: 5 },
  })
}
