import { orderRow, type RankScratch } from '../kernels/index.ts'

/**
 * The securities of lowest cost into `out`, best first, equal costs by index (that is, by code); NaN costs are not ordered.
 * Returns how many there are, at most `limit`. A short list is kept in a bounded heap: the rest is never sorted.
 */
export function bestFirst(cost: Float64Array, limit: number, out: Int32Array, scratch: RankScratch): number {
  const count = cost.length
  if (limit * 4 > count) {
    const ordered = Math.min(limit, orderRow(cost, 0, count, null, scratch))
    for (let i = 0; i < ordered; i++) out[i] = scratch.order[i]
    return ordered
  }
  // out[0 … size) is a heap with the worst on top.
  let size = 0
  for (let i = 0; i < count; i++) {
    const value = cost[i]
    if (value !== value) continue
    if (size < limit) {
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        const other = out[parent]
        if (!(value > cost[other] || (value === cost[other] && i > other))) break
        out[at] = other
        at = parent
      }
      out[at] = i
    } else if (limit > 0 && value < cost[out[0]]) {
      sink(cost, out, size, i)
    }
  }
  // Take the worst off the top, again and again: what remains is in order.
  for (let end = size - 1; end > 0; end--) {
    const worst = out[0]
    const moved = out[end]
    sink(cost, out, end, moved)
    out[end] = worst
  }
  return size
}

/** Replaces the top of the heap of the given size. */
function sink(cost: Float64Array, heap: Int32Array, size: number, i: number): void {
  const value = cost[i]
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    const right = child + 1
    if (right < size && isWorse(cost, heap[right], heap[child])) child = right
    const other = heap[child]
    const otherValue = cost[other]
    if (value > otherValue || (value === otherValue && i > other)) break
    heap[at] = other
    at = child
  }
  heap[at] = i
}

function isWorse(cost: Float64Array, a: number, b: number): boolean {
  return cost[a] > cost[b] || (cost[a] === cost[b] && a > b)
}

/** 1-based place of a security in the order of costs; 0 when it has no cost. */
export function placeOf(cost: Float64Array, offset: number, count: number, i: number): number {
  const value = cost[offset + i]
  if (value !== value) return 0
  // Without a branch that depends on the costs: half of the guesses would be wrong.
  let before = 0
  for (let k = 0; k < i; k++) before += cost[offset + k] <= value ? 1 : 0
  for (let k = i + 1; k < count; k++) before += cost[offset + k] < value ? 1 : 0
  return before + 1
}

/** Rank of a security's cost, ties averaged; NaN when it has none. */
export function averageRank(cost: Float64Array, offset: number, count: number, i: number): number {
  const value = cost[offset + i]
  let less = 0
  let equal = 0
  for (let k = 0; k < count; k++) {
    const other = cost[offset + k]
    if (other < value) less++
    else if (other === value) equal++
  }
  return equal === 0 ? Number.NaN : less + (equal + 1) / 2
}
