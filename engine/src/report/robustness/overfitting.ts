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

/**
 * Probability of backtest overfitting by CSCV (Bailey, Borwein, López de Prado & Zhu 2015): the days are cut into 16 blocks of
 * neighbours; of every choice of 8 of them as the inside, the configuration of the best Sharpe ratio there is looked up outside.
 * `returns`: one series of daily returns per configuration, of equal length. A configuration without any variance counts as Sharpe 0.
 * null with fewer than two configurations or too few days.
 */
export function overfittingOf(returns: readonly ArrayLike<number>[]): Overfitting | null {
  const days = returns[0]?.length ?? 0
  const many = returns.length
  if (many < 2 || days < blocks * leastDaysOfBlock) return null
  const sums = sumsOfSubsets(returns, days)
  // The inside of a split is the outside of its mirror: both are looked at together.
  const inside = new Float64Array(many)
  const outside = new Float64Array(many)
  let splits = 0
  let worse = 0
  let lost = 0
  const judge = (here: Float64Array, there: Float64Array, meanThere: (at: number) => number) => {
    const best = largest(here)
    const value = there[best]
    let below = 0
    let equal = 0
    for (let k = 0; k < many; k++) {
      if (there[k] < value) below++
      else if (there[k] === value) equal++
    }
    // Average rank of ties, relative to one more than there are: λ = ln(ω / (1 − ω)) ≤ 0 is ω ≤ ½.
    const rank = below + (equal + 1) / 2
    splits++
    if (rank / (many + 1) <= 0.5) worse++
    if (meanThere(best) < 0) lost++
  }
  const all = 2 ** half - 1
  for (let left = 0; left <= all; left++) {
    for (let right = 0; right <= all; right++) {
      // Each pair of mirrors once: block 0 is inside.
      if ((left & 1) === 0 || ones(left) + ones(right) !== half) continue
      sharpes(inside, sums, left, right)
      sharpes(outside, sums, all - left, all - right)
      judge(inside, outside, (at) => sums.sum(all - left, all - right, at))
      judge(outside, inside, (at) => sums.sum(left, right, at))
    }
  }
  return { probability: worse / splits, splits, lossProbability: lost / splits }
}

interface Sums {
  readonly many: number
  /** By subset of the first and of the second eight blocks, by configuration: days, sum of returns and of their squares. */
  readonly days: readonly [Float64Array, Float64Array]
  readonly first: readonly [Float64Array, Float64Array]
  readonly second: readonly [Float64Array, Float64Array]
  sum(left: number, right: number, at: number): number
}

/** Sums over every subset of either half of the blocks: any choice of blocks is then two of them. */
function sumsOfSubsets(returns: readonly ArrayLike<number>[], days: number): Sums {
  const many = returns.length
  const edges = Array.from({ length: blocks + 1 }, (_, b) => Math.floor((b * days) / blocks))
  const side = (offset: number) => {
    const count = new Float64Array(2 ** half)
    const first = new Float64Array(2 ** half * many)
    const second = new Float64Array(2 ** half * many)
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
    sum: (left, right, at) => a.first[left * many + at] + b.first[right * many + at],
  }
}

function sharpes(out: Float64Array, { many, days, first, second }: Sums, left: number, right: number): void {
  const n = days[0][left] + days[1][right]
  const [p, q] = [left * many, right * many]
  for (let k = 0; k < many; k++) {
    const mean = (first[0][p + k] + first[1][q + k]) / n
    const squares = (second[0][p + k] + second[1][q + k]) / n
    const variance = squares - mean * mean
    // Of returns that do not vary, rounding leaves a hair.
    out[k] = variance > 1e-12 * squares ? mean / Math.sqrt(variance) : 0
  }
}

function largest(values: Float64Array): number {
  let best = 0
  for (let k = 1; k < values.length; k++) if (values[k] > values[best]) best = k
  return best
}

function ones(bits: number): number {
  let count = 0
  for (let rest = bits; rest > 0; rest &= rest - 1) count++
  return count
}
