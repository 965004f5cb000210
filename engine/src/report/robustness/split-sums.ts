import { arenaOf, arenaOn } from '../../kernels/index.ts'

/** Blocks of days in either half of them: every subset of a half is a number of eight bits. */
export const half = 8
export const subsets = 2 ** half

/** Sums over every subset of either half of the blocks, so that any choice of blocks is two of them. */
export interface SplitSums {
  /** Configurations. */
  readonly many: number
  /** Of the first and of the second half, by subset: days. */
  readonly days: readonly [Float64Array, Float64Array]
  /** By subset and configuration: sum of the returns, and of their squares. In shared memory. */
  readonly first: readonly [Float64Array, Float64Array]
  readonly second: readonly [Float64Array, Float64Array]
  /** Where these lie for the kernels, with scratch space for `maxThreads` threads behind them. */
  readonly memory: WebAssembly.Memory | null
  readonly maxThreads: number
}

/** The leader of a grid and its helpers. */
const mostThreads = 64
const inputs = 10
/** Scratch space of a thread besides: the score of a split, addresses. */
const scoreLength = 6
const sizeOfThread = (many: number) => Math.ceil((2 * 8 * many + 4 * (scoreLength + inputs)) / 16) * 16

/** Days are cut into so many blocks of neighbours. */
export const blocks = 2 * half

/** The first day of a block. */
const edgeOf = (block: number, days: number): number => Math.floor((block * days) / blocks)

/** Sums of daily returns over each block, then of their squares. */
export function blockSums(returns: ArrayLike<number>, sums: Float64Array = new Float64Array(2 * blocks)): Float64Array {
  for (let block = 0; block < blocks; block++) {
    const end = edgeOf(block + 1, returns.length)
    let [sum, squares] = [0, 0]
    for (let day = edgeOf(block, returns.length); day < end; day++) {
      sum += returns[day]
      squares += returns[day] * returns[day]
    }
    sums[block] = sum
    sums[blocks + block] = squares
  }
  return sums
}

/** `series`: the block sums of each configuration, over so many days. */
export function splitSums(series: readonly Float64Array[], days: number): SplitSums {
  const many = series.length
  const length = subsets * many
  const { cells, memory } = arenaOf(4 * 8 * length + mostThreads * sizeOfThread(many))
  const side = (offset: number, at: number) => {
    const first = cells.subarray(at * length, (at + 1) * length)
    const second = cells.subarray((at + 1) * length, (at + 2) * length)
    const count = new Float64Array(subsets)
    first.fill(0, 0, many)
    second.fill(0, 0, many)
    series.forEach((sums, k) => {
      for (let block = 0; block < half; block++) {
        first[(many << block) + k] = sums[offset + block]
        second[(many << block) + k] = sums[blocks + offset + block]
      }
    })
    for (let subset = 1; subset < subsets; subset++) {
      const lowest = 31 - Math.clz32(subset & -subset)
      const rest = subset & (subset - 1)
      count[subset] = count[rest] + edgeOf(offset + lowest + 1, days) - edgeOf(offset + lowest, days)
      if (rest === 0) continue
      addRows(first, subset * many, many << lowest, rest * many, many)
      addRows(second, subset * many, many << lowest, rest * many, many)
    }
    return { count, first, second }
  }
  const [a, b] = [side(0, 0), side(half, 2)]
  return { many, days: [a.count, b.count], first: [a.first, b.first], second: [a.second, b.second], memory, maxThreads: mostThreads }
}

function addRows(rows: Float64Array, out: number, a: number, b: number, many: number): void {
  for (let k = 0; k < many; k++) rows[out + k] = rows[a + k] + rows[b + k]
}

/** Sum of the returns of a configuration over some blocks. */
export const sumOf = ({ first, many }: SplitSums, left: number, right: number, at: number): number =>
  first[0][left * many + at] + first[1][right * many + at]

/** Score of a split: the best configuration inside, and in its mirror; how many stand below and level with the best outside, and with the mirror's inside. */
export type SplitScore = Int32Array

/** Scores splits with the scratch space of a thread, by the kernel where there is one. `left`, `right`: blocks inside, of either half. */
export function splitScorer(sums: SplitSums, thread: number): (left: number, right: number) => SplitScore {
  return (thread < sums.maxThreads ? byKernel(sums, thread) : null) ?? twin(sums)
}

function byKernel({ many, days, first, second, memory }: SplitSums, thread: number): ((left: number, right: number) => SplitScore) | null {
  if (memory === null) return null
  const { kernels, words } = arenaOn(memory)
  if (!kernels) return null
  const at = 4 * 8 * subsets * many + thread * sizeOfThread(many)
  const room = at + 2 * 8 * many
  const out = new Int32Array(memory.buffer, room, scoreLength)
  const table = room + 4 * scoreLength
  const address = (rows: Float64Array, subset: number) => rows.byteOffset + 8 * many * subset
  return (left, right) => {
    const [l, r] = [subsets - 1 - left, subsets - 1 - right]
    const inside = [address(first[0], left), address(first[1], right), address(second[0], left), address(second[1], right)]
    const outside = [address(first[0], l), address(first[1], r), address(second[0], l), address(second[1], r)]
    words.set([...inside, ...outside, at, at + 8 * many], table >> 2)
    kernels.score_split(room, many, table, days[0][left] + days[1][right], days[0][l] + days[1][r], 0)
    return out
  }
}

/** The same without WebAssembly, to the bit. */
function twin(sums: SplitSums): (left: number, right: number) => SplitScore {
  const here = new Float64Array(sums.many)
  const there = new Float64Array(sums.many)
  const out = new Int32Array(scoreLength)
  return (left, right) => {
    out[0] = strengths(here, sums, left, right)
    out[1] = strengths(there, sums, subsets - 1 - left, subsets - 1 - right)
    stand(out.subarray(2), there, out[0])
    stand(out.subarray(4), here, out[1])
    return out
  }
}

/**
 * Of every configuration over some blocks what is larger where the Sharpe ratio is larger, and needs one division and no root: its square,
 * with its sign. Returns the best.
 */
function strengths(out: Float64Array, { many, days, first, second }: SplitSums, left: number, right: number): number {
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

/** How many are smaller than one of them, and how many equal, itself among them. */
function stand(out: Int32Array, values: Float64Array, at: number): void {
  const own = values[at]
  let [below, level] = [0, 0]
  for (let k = 0; k < values.length; k++) {
    below += Number(values[k] < own)
    level += Number(values[k] === own)
  }
  out[0] = below
  out[1] = level
}
