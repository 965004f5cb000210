import type { Lent } from '../kernels/index.ts'
import type { Recipe } from '../screen/recipe.ts'
import { type Rankings, Tables, type Units } from './rankings.ts'

/** The same days ranked by other weights of the same factors: units are summed anew, nothing is ranked. To the byte what `rankDays` makes of them. */
export function reweighed(rankings: Rankings, units: Units, { ranks }: Recipe, lent: Lent): Rankings {
  const { days, count, depth, fail } = rankings
  const weights = ranks.map(({ row }) => row.weight)
  const cost = lent.doubles(days.length * count)
  const tables = new Tables(days.length, depth, count)
  for (let at = 0; at < days.length; at++) {
    const from = at * count
    const row = cost.subarray(from, from + count)
    for (let i = 0; i < count; i++) row[i] = fail[from + i] === 0 ? 0 : Number.NaN
    for (let f = 0; f < weights.length; f++) {
      const weight = weights[f]
      const values = units.values[f]
      for (let i = 0; i < count; i++) row[i] += weight * values[from + i]
    }
    tables.write(at, row)
  }
  return { ...rankings, cost, order: tables.order, best: summed(units.best, weights), worst: summed(units.worst, weights) }
}

function summed(units: readonly Float64Array[], weights: readonly number[]): Float64Array {
  return units[0].map((_, at) => units.reduce((sum, values, f) => sum + weights[f] * values[at], 0))
}
