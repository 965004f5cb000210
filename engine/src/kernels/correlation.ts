import { type RankScratch, rankScratch } from './rank.ts'
import { rankSums, ranksOf } from './sort-order.ts'

/** Pearson correlation of the pairs in which neither is NaN; NaN of fewer than three, or where one does not vary. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let n = 0
  let sx = 0
  let sy = 0
  for (let i = 0; i < x.length; i++) {
    if (x[i] !== x[i] || y[i] !== y[i]) continue
    n++
    sx += x[i]
    sy += y[i]
  }
  if (n < 3) return Number.NaN
  const mx = sx / n
  const my = sy / n
  let xx = 0
  let yy = 0
  let xy = 0
  for (let i = 0; i < x.length; i++) {
    if (x[i] !== x[i] || y[i] !== y[i]) continue
    const dx = x[i] - mx
    const dy = y[i] - my
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return xx > 1e-24 * n * (1 + mx * mx) && yy > 1e-24 * n * (1 + my * my) ? xy / Math.sqrt(xx * yy) : Number.NaN
}

/** Room for the ranks of two rows of one length: `pairOf`. */
export interface Pair {
  readonly both: Uint8Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly scratch: RankScratch
}

export function pairOf(count: number): Pair {
  return { both: new Uint8Array(count), x: new Float64Array(count), y: new Float64Array(count), scratch: rankScratch(count) }
}

/** Spearman correlation: Pearson of the ranks among the pairs in which neither is NaN, ties averaged. */
export function spearman(x: Float64Array, y: Float64Array, { both, x: rx, y: ry, scratch }: Pair): number {
  const count = x.length
  for (let i = 0; i < count; i++) both[i] = Number(x[i] === x[i] && y[i] === y[i])
  ranksOf(x, both, rx, scratch)
  ranksOf(y, both, ry, scratch)
  return pearson(rx, ry)
}

/** Correlations of one row with many: what depends on the row alone is computed once. Both rows are dense, and this one has no NaN. */
export interface Correlator {
  /** Equal to `pearson` and `spearman` to the bit. */
  pearson(y: Float64Array): number
  spearman(y: Float64Array): number
  /** The same of sums over y: of its values, of their differences from the mean squared, and of these times x's. */
  pearsonOf(sum: number, yy: number, xy: number): number
  /** The same of sums over y's ranks less their mean: squared, and times x's. */
  spearmanOf(yy: number, xy: number): number
}

/** Into `distance` and `ranks`: how far each value is above their mean, and its rank above the ranks' mean. */
export function correlator(
  x: Float64Array,
  pair: Pair,
  distance: Float64Array = new Float64Array(x.length),
  ranks: Float64Array = new Float64Array(x.length),
): Correlator {
  const n = x.length
  let sum = 0
  for (let i = 0; i < n; i++) sum += x[i]
  const mx = sum / n
  let xx = 0
  for (let i = 0; i < n; i++) {
    distance[i] = x[i] - mx
    xx += distance[i] * distance[i]
  }
  ranksOf(x, null, ranks, pair.scratch)
  const mean = (n + 1) / 2
  let rr = 0
  for (let i = 0; i < n; i++) {
    ranks[i] -= mean
    rr += ranks[i] * ranks[i]
  }
  const least = 1e-24 * n * (1 + mean * mean)
  const pearsonOf = (sy: number, yy: number, xy: number) => {
    const my = sy / n
    return xx > 1e-24 * n * (1 + mx * mx) && yy > 1e-24 * n * (1 + my * my) ? xy / Math.sqrt(xx * yy) : Number.NaN
  }
  const spearmanOf = (yy: number, xy: number) => (n >= 3 && rr > least && yy > least ? xy / Math.sqrt(rr * yy) : Number.NaN)
  return {
    ...{ pearsonOf, spearmanOf },
    pearson(y) {
      let sy = 0
      for (let i = 0; i < n; i++) sy += y[i]
      if (n < 3) return Number.NaN
      // Some have no value.
      if (sy !== sy) return pearson(x, y)
      const my = sy / n
      let [yy, xy] = [0, 0]
      for (let i = 0; i < n; i++) {
        const dy = y[i] - my
        yy += dy * dy
        xy += distance[i] * dy
      }
      return pearsonOf(sy, yy, xy)
    },
    spearman(y) {
      const { size, xy, yy } = rankSums(y, ranks, pair.y, pair.scratch)
      return size < n ? spearman(x, y, pairOf(n)) : spearmanOf(yy, xy)
    },
  }
}
