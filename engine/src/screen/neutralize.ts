import { residualsOnSizeAndGroups } from '../expression/index.ts'

/** A row of cells and where it begins. */
export interface Cells {
  readonly column: Float64Array
  readonly offset: number
}

/** Of the largest value in the pool. */
const step = 1e-12

/**
 * Residuals of the values of a pool after neutralization by size and group (a column of ones is neither), NaN outside of it.
 * Residuals that are equal but for rounding (all of them, when a pool is as small as its groups) are equal: an order is never noise.
 */
export function neutralized(values: Float64Array, sizes: Cells, groups: Cells, pool: Uint8Array, out: Float64Array): Float64Array {
  const count = pool.length
  const [inputs, from] = [
    [values, sizes.column, groups.column],
    [0, sizes.offset, groups.offset],
  ]
  residualsOnSizeAndGroups({ out, at: 0, count, inputs, from, listed: pool, listedFrom: 0 })
  let most = 0
  for (let i = 0; i < count; i++) if (pool[i] === 1 && Math.abs(values[i]) > most) most = Math.abs(values[i])
  if (most > 0) for (let i = 0; i < count; i++) out[i] = Math.round(out[i] / (most * step)) * (most * step)
  return out
}
