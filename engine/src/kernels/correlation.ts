import { ranksOf } from './places.ts'
import { type RankScratch, rankScratch } from './rank.ts'

/** Pearson correlation of the pairs in which neither is NaN; NaN of fewer than three, or where one does not vary. */
export function pearson(x: Float64Array, y: Float64Array): number {
  let [n, sx, sy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    if (x[i] !== x[i] || y[i] !== y[i]) continue
    n++
    sx += x[i]
    sy += y[i]
  }
  if (n < 3) return Number.NaN
  const [mx, my] = [sx / n, sy / n]
  let [xx, yy, xy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    if (x[i] !== x[i] || y[i] !== y[i]) continue
    const [dx, dy] = [x[i] - mx, y[i] - my]
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

/**
 * Spearman correlations of one row with others that have a value only where it has one: its ranks are told once, for all that have them all.
 * `ranks`: room for them. Ranks and their mean are halves, so every sum below is exact, in whatever order: `pearson` of the ranks to the bit.
 */
export function spearmanWith(x: Float64Array, ranks: Float64Array, pair: Pair): (y: Float64Array) => number {
  const n = ranksOf(x, null, ranks, pair.scratch)
  const mean = (n + 1) / 2
  let xx = 0
  for (let i = 0; i < x.length; i++) if (ranks[i] === ranks[i]) xx += (ranks[i] - mean) * (ranks[i] - mean)
  return (y) => {
    const size = ranksOf(y, null, pair.y, pair.scratch)
    if (size < n) return spearman(x, y, pair)
    if (n < 3) return Number.NaN
    const { y: others } = pair
    let [yy, xy] = [0, 0]
    for (let i = 0; i < others.length; i++) {
      const dy = others[i] - mean
      if (dy !== dy) continue
      yy += dy * dy
      xy += dy * (ranks[i] - mean)
    }
    const least = 1e-24 * n * (1 + mean * mean)
    return xx > least && yy > least ? xy / Math.sqrt(xx * yy) : Number.NaN
  }
}
