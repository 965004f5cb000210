import { blocks, half, type SplitSums, splitScorer, splitSums, subsets, sumOf } from './split-sums.ts'

/** What the combinatorially symmetric cross-validation of a set of configurations says. */
export interface Overfitting {
  /** Share of the splits in which the configuration that is best inside lies in the worse half outside (PBO). */
  readonly probability: number
  /** Number of splits tried. */
  readonly splits: number
  /** Share of the splits in which the best inside loses money outside. */
  readonly lossProbability: number
}

const leastDaysOfBlock = 5

/** The splits of a set of configurations, for several threads to count: all in shared memory. */
export interface SharedSplits {
  readonly sums: SplitSums
  /** How many threads have taken scratch space. */
  readonly threads: Int32Array
  /** The next choice among the first eight blocks that nobody has taken. */
  readonly next: Int32Array
  /** Splits, those whose best lies in the worse half outside, those whose best loses outside. */
  readonly counts: Int32Array
}

/** C(16, 8): as many as there are. */
const allSplits = 12_870

/**
 * Probability of backtest overfitting by CSCV (Bailey, Borwein, López de Prado & Zhu 2015): the days are cut into 16 blocks of
 * neighbours; of every choice of 8 of them as the inside, the configuration of the best Sharpe ratio there is looked up outside.
 * `series`: the block sums of each configuration's daily returns (`blockSums`), over so many days. One without any variance counts as Sharpe 0.
 * `share`: may have others count along (`countSplits`), and returns what waits until they are done.
 * null with fewer than two configurations or too few days.
 */
export function overfittingOf(
  series: readonly Float64Array[],
  days: number,
  share?: (splits: SharedSplits) => () => void,
): Overfitting | null {
  if (series.length < 2 || days < blocks * leastDaysOfBlock) return null
  const splits = splitsOf(splitSums(series, days))
  const wait = share?.(splits)
  countSplits(splits)
  wait?.()
  if (splits.counts[0] !== allSplits) {
    // Somebody who took a share is gone with it.
    splits.next[0] = 0
    splits.counts.fill(0)
    countSplits(splits)
  }
  const [count, worse, lost] = splits.counts
  return { probability: worse / count, splits: count, lossProbability: lost / count }
}

const splitsOf = (sums: SplitSums): SharedSplits => ({
  sums,
  threads: new Int32Array(new SharedArrayBuffer(4)),
  next: new Int32Array(new SharedArrayBuffer(4)),
  counts: new Int32Array(new SharedArrayBuffer(12)),
})

/** Counts splits, some at a time, until all are taken or `keepsHelping` returns false. What it has taken it counts. */
export function countSplits({ sums, threads, next, counts }: SharedSplits, keepsHelping: () => boolean = () => true): void {
  const { many } = sums
  const score = splitScorer(sums, Atomics.add(threads, 0, 1))
  const all = subsets - 1
  while (keepsHelping()) {
    const left = Atomics.add(next, 0, 1)
    if (left > all) return
    // The inside of a split is the outside of its mirror: both are looked at together, once, where block 0 is inside.
    if ((left & 1) === 0) continue
    let [splits, worse, lost] = [0, 0, 0]
    for (let right = 0; right <= all; right++) {
      if (ones(left) + ones(right) !== half) continue
      const [best, mirror, below, level, belowMirror, levelMirror] = score(left, right)
      splits += 2
      worse += Number(isWorse(below, level, many)) + Number(isWorse(belowMirror, levelMirror, many))
      lost += Number(sumOf(sums, all - left, all - right, best) < 0) + Number(sumOf(sums, left, right, mirror) < 0)
    }
    Atomics.add(counts, 0, splits)
    Atomics.add(counts, 1, worse)
    Atomics.add(counts, 2, lost)
  }
}

/** Stands in the worse half. Average rank of ties, relative to one more than there are: λ = ln(ω / (1 − ω)) ≤ 0 is ω ≤ ½. */
const isWorse = (below: number, level: number, many: number): boolean => (below + (level + 1) / 2) / (many + 1) <= 0.5

function ones(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest &= rest - 1) count++
  return count
}
