import { orderRow, type RankScratch } from '../kernels/index.ts'

/** From this share on equal values that the order of codes divides say that a border between places means nothing (domain.md 6.2). */
export const mostCut = 0.05

/** Up to so many candidates, insertion is quicker than a heap. */
const insertionLimit = 96

/**
 * The securities of lowest score into `out`, best first, equal scores by index (that is, by code); NaN scores are not ordered.
 * Returns how many there are, at most `limit`. A short list is kept in a bounded heap: the rest is never sorted.
 *
 * `guess` is a score that the limit-th best hardly exceeds (yesterday's): a good one leaves few candidates, a bad one costs a second look.
 */
export function bestFirst(
  scores: Float64Array,
  limit: number,
  out: Int32Array,
  scratch: RankScratch,
  guess = Number.POSITIVE_INFINITY,
): number {
  const count = scores.length
  if (limit * 4 > count) {
    const ordered = Math.min(limit, orderRow(scores, 0, count, null, scratch))
    for (let i = 0; i < ordered; i++) out[i] = scratch.order[i]
    return ordered
  }
  const { indices } = scratch
  let found = gather(scores, guess, indices)
  if (found < limit && guess !== Number.POSITIVE_INFINITY) found = gather(scores, Number.POSITIVE_INFINITY, indices)
  const size = Math.min(limit, found)
  if (found <= insertionLimit) {
    insert(scores, indices, found, size, scratch.values)
    for (let p = 0; p < size; p++) out[p] = indices[p]
    return size
  }
  takeLeast(scores, indices, found, out, size)
  return size
}

/** The indices of scores up to a bound; returns how many. Each is written and stays only if it counts: no branch to guess. */
function gather(scores: Float64Array, most: number, indices: Uint32Array): number {
  const last = scores.length - 1
  let found = 0
  for (let i = 0; i < last; i++) {
    indices[found] = i
    found += scores[i] <= most ? 1 : 0
  }
  if (last >= 0 && scores[last] <= most) indices[found++] = last
  return found
}

/** Puts the `limit` least of the candidates first, in order; their scores are kept beside them. */
function insert(scores: Float64Array, indices: Uint32Array, count: number, limit: number, values: Float64Array): void {
  for (let k = 0; k < count; k++) {
    const i = indices[k]
    const value = scores[i]
    if (k >= limit && value >= values[limit - 1]) continue
    let at = Math.min(k, limit - 1)
    for (; at > 0 && values[at - 1] > value; at--) {
      indices[at] = indices[at - 1]
      values[at] = values[at - 1]
    }
    indices[at] = i
    values[at] = value
  }
}

/** The `limit` least of the candidates, in order: out[0 … size) is a heap with the worst on top. */
function takeLeast(scores: Float64Array, candidates: Uint32Array, count: number, out: Int32Array, limit: number): void {
  if (limit === 0) return
  for (let size = 0; size < limit; size++) {
    const i = candidates[size]
    const value = scores[i]
    let at = size
    while (at > 0) {
      const parent = (at - 1) >> 1
      const other = out[parent]
      if (!(value > scores[other] || (value === scores[other] && i > other))) break
      out[at] = other
      at = parent
    }
    out[at] = i
  }
  let top = scores[out[0]]
  for (let k = limit; k < count; k++) {
    if (scores[candidates[k]] >= top) continue
    sink(scores, out, limit, candidates[k])
    top = scores[out[0]]
  }
  // Take the worst off the top, again and again: what remains is in order.
  for (let end = limit - 1; end > 0; end--) {
    const worst = out[0]
    const moved = out[end]
    sink(scores, out, end, moved)
    out[end] = worst
  }
}

/** Replaces the top of the heap of the given size. */
function sink(scores: Float64Array, heap: Int32Array, size: number, i: number): void {
  const value = scores[i]
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= size) break
    const right = child + 1
    if (right < size && isWorse(scores, heap[right], heap[child])) child = right
    const other = heap[child]
    const otherValue = scores[other]
    if (value > otherValue || (value === otherValue && i > other)) break
    heap[at] = other
    at = child
  }
  heap[at] = i
}

function isWorse(scores: Float64Array, a: number, b: number): boolean {
  return scores[a] > scores[b] || (scores[a] === scores[b] && a > b)
}

/** 1-based place of a security in the order of scores; 0 when it has no score. */
export function placeOf(scores: Float64Array, offset: number, count: number, i: number): number {
  const value = scores[offset + i]
  if (value !== value) return 0
  // Without a branch that depends on the scores: half of the guesses would be wrong.
  let before = 0
  for (let k = 0; k < i; k++) before += scores[offset + k] <= value ? 1 : 0
  for (let k = i + 1; k < count; k++) before += scores[offset + k] < value ? 1 : 0
  return before + 1
}

/** Rank of a security's score, ties averaged; NaN when it has none. */
export function averageRank(scores: Float64Array, offset: number, count: number, i: number): number {
  const value = scores[offset + i]
  let less = 0
  let equal = 0
  for (let k = 0; k < count; k++) {
    const other = scores[offset + k]
    if (other < value) less++
    else if (other === value) equal++
  }
  return equal === 0 ? Number.NaN : less + (equal + 1) / 2
}
