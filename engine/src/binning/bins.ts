import { orderRow, type RankScratch } from '../kernels/index.ts'

/** Which bin each security of a day is in; −1 = in none. */
export type Binner = (x: Float64Array, out: Int8Array) => void

/**
 * Bins of equal counts: bin = ⌈rank · n ÷ m⌉ with rank counted from 1 and equal values in the order of codes, so every day has every
 * bin as long as it has n securities (domain.md 6.2). Bin 0 holds the smallest values. On days of fewer, nobody is in a bin.
 */
export function byQuantile(bins: number, scratch: RankScratch): Binner {
  return (x, out) => {
    const m = orderRow(x, 0, x.length, null, scratch)
    out.fill(-1)
    if (m < bins) return
    for (let k = 0; k < m; k++) out[scratch.order[k]] = Math.ceil(((k + 1) * bins) / m) - 1
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
