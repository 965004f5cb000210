import { orderByKernel, orderRow, type RankScratch, ranksOf } from '../kernels/index.ts'

/** Which bin each security of a day is in; −1 = in none. */
export type Binner = (x: Float64Array, out: Int8Array) => void

/**
 * Bins of equal counts: bin = ⌈rank · n ÷ m⌉ with rank counted from 1 and equal values in the order of codes, so every day has every
 * bin as long as it has n securities (domain.md 6.2). Bin 0 holds the smallest values. On days of fewer, nobody is in a bin.
 */
export function byQuantile(bins: number, scratch: RankScratch): Binner {
  return (x, out) => {
    const sorted = orderByKernel(x, x.length)
    const m = sorted ? sorted.size : orderRow(x, 0, x.length, null, scratch)
    out.fill(-1)
    if (m < bins) return
    const order = sorted ? sorted.words.subarray(sorted.at + x.length, sorted.at + x.length + m) : scratch.order
    const edges = Array.from({ length: bins + 1 }, (_, bin) => Math.floor((bin * m) / bins))
    if (sorted && sorted.equals > 0) orderEqualsAt(edges, order, sorted.words.subarray(sorted.at, sorted.at + x.length))
    for (let bin = 0; bin < bins; bin++) {
      for (let k = edges[bin]; k < edges[bin + 1]; k++) out[order[k]] = bin
    }
  }
}

/** The same by average ranks: equal values are in one bin, whose count may then be another's, or none. On days of fewer than n, nobody is in a bin. */
export function byAverageRank(bins: number, scratch: RankScratch): Binner {
  let ranks = new Float64Array(0)
  return (x, out) => {
    if (ranks.length !== x.length) ranks = new Float64Array(x.length)
    const m = ranksOf(x, null, ranks, scratch)
    for (let i = 0; i < x.length; i++) out[i] = m < bins || ranks[i] !== ranks[i] ? -1 : Math.ceil((ranks[i] * bins) / m) - 1
  }
}

/** The kernel has equal values in no order of their own, which shows only where they lie on both sides of an edge. `first`: the place of the first of each one's equals. */
function orderEqualsAt(edges: readonly number[], order: Uint32Array, first: Uint32Array): void {
  for (const edge of edges.slice(1, -1)) {
    const from = first[order[edge]]
    if (from === edge) continue
    let to = edge + 1
    while (to < order.length && first[order[to]] === from) to++
    order.subarray(from, to).sort()
  }
}

/** Bins between edges, the same on every day; what lies beyond the outer edges is in the outer bins. */
export function byEdges(edges: readonly number[]): Binner {
  const last = edges.length - 2
  return (x, out) => {
    for (let i = 0; i < x.length; i++) {
      const value = x[i]
      if (value !== value) {
        out[i] = -1
        continue
      }
      let bin = 0
      while (bin < last && value >= edges[bin + 1]) bin++
      out[i] = bin
    }
  }
}

/** One bin for each of the values. */
export function byCategory(values: readonly number[]): Binner {
  const binOf = new Map(values.map((value, bin) => [value, bin]))
  return (x, out) => {
    for (let i = 0; i < x.length; i++) out[i] = binOf.get(x[i]) ?? -1
  }
}
