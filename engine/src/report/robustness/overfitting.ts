/** What the combinatorially symmetric cross-validation of a set of configurations says. */
export interface Overfitting {
  /** Share of the splits in which the configuration that is best inside lies in the worse half outside (PBO). */
  readonly probability: number
  /** Number of splits tried. */
  readonly splits: number
  /** Share of the splits in which the best inside loses money outside. */
  readonly lossProbability: number
}

/** Blocks of days: C(16, 8) = 12,870 splits. */
const blocks = 16
const half = blocks / 2
const leastDaysOfBlock = 5

/** The splits of a set of configurations, for several threads to count: all in shared memory. */
export interface SharedSplits {
  readonly sums: Sums
  /** The next choice among the first eight blocks that nobody has taken. */
  readonly next: Int32Array
  /** Splits, those whose best lies in the worse half outside, those whose best loses outside. */
  readonly counts: Int32Array
}

/** As many splits as there are. */
const allSplits = 12_870

/**
 * Probability of backtest overfitting by CSCV (Bailey, Borwein, López de Prado & Zhu 2015): the days are cut into 16 blocks of
 * neighbours; of every choice of 8 of them as the inside, the configuration of the best Sharpe ratio there is looked up outside.
 * `returns`: one series of daily returns per configuration, of equal length. A configuration without any variance counts as Sharpe 0.
 * `share`: may have others count along (`countSplits`), and returns what waits until they are done.
 * null with fewer than two configurations or too few days.
 */
export function overfittingOf(returns: readonly ArrayLike<number>[], share?: (splits: SharedSplits) => () => void): Overfitting | null {
  const days = returns[0]?.length ?? 0
  const many = returns.length
  if (many < 2 || days < blocks * leastDaysOfBlock) return null
  const splits = splitsOf(sumsOfSubsets(returns, days))
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

const splitsOf = (sums: Sums): SharedSplits => ({
  sums,
  next: new Int32Array(new SharedArrayBuffer(4)),
  counts: new Int32Array(new SharedArrayBuffer(12)),
})

/** Counts splits, some at a time, until all are taken or `stays` says no. What it has taken it counts. */
export function countSplits({ sums, next, counts }: SharedSplits, stays: () => boolean = () => true): void {
  const here = new Float64Array(sums.many)
  const there = new Float64Array(sums.many)
  const all = 2 ** half - 1
  while (stays()) {
    const left = Atomics.add(next, 0, 1)
    if (left > all) return
    // The inside of a split is the outside of its mirror: both are looked at together, once, where block 0 is inside.
    if ((left & 1) === 0) continue
    let [splits, worse, lost] = [0, 0, 0]
    for (let right = 0; right <= all; right++) {
      if (ones(left) + ones(right) !== half) continue
      const best = strengths(here, sums, left, right)
      const bestOfMirror = strengths(there, sums, all - left, all - right)
      splits += 2
      worse += Number(isWorse(there, best)) + Number(isWorse(here, bestOfMirror))
      lost += Number(sumOf(sums, all - left, all - right, best) < 0) + Number(sumOf(sums, left, right, bestOfMirror) < 0)
    }
    Atomics.add(counts, 0, splits)
    Atomics.add(counts, 1, worse)
    Atomics.add(counts, 2, lost)
  }
}

interface Sums {
  readonly many: number
  /** By subset of the first and of the second eight blocks, by configuration: days, sum of returns and of their squares. */
  readonly days: readonly [Float64Array, Float64Array]
  readonly first: readonly [Float64Array, Float64Array]
  readonly second: readonly [Float64Array, Float64Array]
}

const sumOf = ({ first, many }: Sums, left: number, right: number, at: number): number =>
  first[0][left * many + at] + first[1][right * many + at]

/** Sums over every subset of either half of the blocks: any choice of blocks is then two of them. */
function sumsOfSubsets(returns: readonly ArrayLike<number>[], days: number): Sums {
  const many = returns.length
  const edges = Array.from({ length: blocks + 1 }, (_, b) => Math.floor((b * days) / blocks))
  const side = (offset: number) => {
    const count = new Float64Array(2 ** half)
    const first = new Float64Array(new SharedArrayBuffer(8 * 2 ** half * many))
    const second = new Float64Array(new SharedArrayBuffer(8 * 2 ** half * many))
    for (let subset = 1; subset < 2 ** half; subset++) {
      const lowest = 31 - Math.clz32(subset & -subset)
      const rest = subset & (subset - 1)
      const [from, to] = [edges[offset + lowest], edges[offset + lowest + 1]]
      count[subset] = count[rest] + to - from
      for (let k = 0; k < many; k++) {
        let [sum, squares] = [0, 0]
        if (rest === 0) {
          for (let day = from; day < to; day++) {
            sum += returns[k][day]
            squares += returns[k][day] * returns[k][day]
          }
        } else {
          const block = (1 << lowest) * many + k
          sum = first[block] + first[rest * many + k]
          squares = second[block] + second[rest * many + k]
        }
        first[subset * many + k] = sum
        second[subset * many + k] = squares
      }
    }
    return { count, first, second }
  }
  const [a, b] = [side(0), side(half)]
  return {
    many,
    days: [a.count, b.count],
    first: [a.first, b.first],
    second: [a.second, b.second],
  }
}

/**
 * Of every configuration over some blocks what is larger where the Sharpe ratio is larger, and needs one division and no root: its square,
 * with its sign. Returns the best.
 */
function strengths(out: Float64Array, { many, days, first, second }: Sums, left: number, right: number): number {
  const n = days[0][left] + days[1][right]
  const [a, b, c, d] = [first[0], first[1], second[0], second[1]]
  const [p, q] = [left * many, right * many]
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (let k = 0; k < many; k++) {
    const sum = a[p + k] + b[q + k]
    const squares = n * (c[p + k] + d[q + k])
    const variance = squares - sum * sum
    // Of returns that do not vary, rounding leaves a hair.
    const strength = variance > 1e-12 * squares ? (sum * Math.abs(sum)) / variance : 0
    out[k] = strength
    if (strength > most) {
      most = strength
      best = k
    }
  }
  return best
}

/** Stands in the worse half. Average rank of ties, relative to one more than there are: λ = ln(ω / (1 − ω)) ≤ 0 is ω ≤ ½. */
function isWorse(strength: Float64Array, at: number): boolean {
  const own = strength[at]
  let [below, equal] = [0, 0]
  for (let k = 0; k < strength.length; k++) {
    below += Number(strength[k] < own)
    equal += Number(strength[k] === own)
  }
  return (below + (equal + 1) / 2) / (strength.length + 1) <= 0.5
}

function ones(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest &= rest - 1) count++
  return count
}
