import type { BufferPool } from '../kernels/index.ts'
import type { CompiledScreen } from '../screen/compiled-screen.ts'
import { type NormalizedFactors, type Rankings, Tables } from './rankings.ts'

/** Rankings of the same days for other weights of the same factors: sums the normalized factors again without ranking. Equal to `rankDays` to the byte. */
export function rescored(rankings: Rankings, normalized: NormalizedFactors, { ranks }: CompiledScreen, buffers: BufferPool): Rankings {
  const { days, count, depth, fail } = rankings
  const weights = ranks.map(({ row }) => row.weight)
  const scores = buffers.doubles(days.length * count)
  const tables = new Tables(days.length, depth, count)
  for (let at = 0; at < days.length; at++) {
    const from = at * count
    const row = scores.subarray(from, from + count)
    for (let i = 0; i < count; i++) row[i] = fail[from + i] === 0 ? 0 : Number.NaN
    for (let f = 0; f < weights.length; f++) {
      const weight = weights[f]
      const values = normalized.values[f]
      for (let i = 0; i < count; i++) row[i] += weight * values[from + i]
    }
    tables.write(at, row)
  }
  return {
    ...rankings,
    scores,
    order: tables.order,
    bestScore: summed(normalized.best, weights),
    worstScore: summed(normalized.worst, weights),
  }
}

function summed(normalized: readonly Float64Array[], weights: readonly number[]): Float64Array {
  return normalized[0].map((_, at) => normalized.reduce((sum, values, f) => sum + weights[f] * values[at], 0))
}
