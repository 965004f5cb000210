import type { Parameters } from '@convexa/contract'
import { isFraction } from '@convexa/contract/enums/hold-range'

/**
 * The share of the money that stays cash after a rotation, whoever is chosen: what the cap of one times the places leaves over, 0 … 1.
 * 0 where it leaves nothing.
 * @param pool how many are ranked, where that is known: of a holding by fraction it says how many places there are; without it nothing is said
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
