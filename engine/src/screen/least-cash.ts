import type { Parameters } from '@convexa/contract'
import { isFraction } from '@convexa/contract/enums/hold-range'

/**
 * Share of the capital that stays cash after any rotation: 1 less the weight cap times the number of places, 0 where that is negative.
 * @param pool size of the ranked pool, null where unknown. A holding by fraction needs it for the number of places; without it the result is 0
 */
export function leastCash(hold: Parameters['hold_method'], pool: number | null): number {
  const { hold_range_start: start, hold_range_end: end, hold_max_weight: cap } = hold
  const byFraction = isFraction(hold)
  if (byFraction && pool === null) return 0
  // A hair: 0.29 · 100 is 28.999…
  const places = byFraction ? Math.max(1, Math.floor(end * (pool ?? 0) + 1e-9) - Math.floor(start * (pool ?? 0) + 1e-9)) : end - start + 1
  const left = 1 - cap * places
  return places > 0 && left > 1e-9 ? left : 0
}
