import type { Ingredient } from './ingredient.ts'

/** The factor values of one day: each factor's row begins at its offset. */
export interface DayCells {
  /** Index of the day in the panel. */
  readonly day: number
  /** Number of securities. */
  readonly count: number
  /** 1 = in the universe after the exclusions, before any condition: what percentiles are taken of. */
  readonly universe: Uint8Array
  values(factor: Ingredient): { readonly column: Float64Array; readonly offset: number }
}

/** A reason to leave the pool. Rules are asked in their order; the first that a security fails is the one it is told. */
export interface Rule {
  /** `universe.markets`, `exclude.st`, `filter.2` (the row's place in the request), `missing.dblow` … */
  readonly key: string
  /** What the user reads: 「上市不足 3 天」. */
  readonly label: string
  /** Writes `id` for those of the still passing (0) that leave. */
  apply(fail: Uint8Array, id: number, cells: DayCells): void
}

/**
 * All bits of a verdict that is still passing (0), none of one that has failed. `fail |= id & passing(fail) & …` marks without
 * a branch: who is listed follows no pattern, and a processor that guesses wrong loses more than the rule costs.
 */
export function passing(failed: number): number {
  return (failed - 1) >> 31
}
