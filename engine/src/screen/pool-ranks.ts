import { type RankScratch, type SortedOrder, sortedOrderOf } from '../kernels/index.ts'

/**
 * A column sorted once. One walk along the order (`walkPool`) gives the ranks of any pool in it: the number of the pool's members before a
 * place is the rank at that place, and equal values share the places between the first and the last of them.
 */
export interface Ordered {
  readonly column: Float64Array
  /** Securities with a value, smallest first. */
  readonly order: Int32Array
  /** By security: the place in the order of the first of its equals; one behind the end for securities without a value. */
  readonly first: Int32Array
  /** By security: the place behind the last of its equals. Null when no values are equal. */
  readonly behind: Int32Array | null
  /** Securities without a value. */
  readonly absent: Int32Array
  /** By place: how many of the pool last walked stand before it; one place more than the order has, then the two of the absent. */
  before: Int32Array
  /** The pool last walked. */
  walked: number
  /** The walk of `addRanks` by a kernel, where order, pool and scores lie in one memory (`orders.ts`). */
  readonly walk: Walk | null
}

/** Ranks begin behind `from` and go up or down by `step`: each one's, times the weight, is added to its score. */
export type Walk = (from: number, step: number, weight: number) => void

export const orderedOf = (column: Float64Array, count: number, scratch: RankScratch): Ordered =>
  orderedBy(column, sortedOrderOf(column, count, scratch), null)

const notWalked = new Int32Array(0)

/** By places that are known. */
export function orderedBy(column: Float64Array, { order, first, absent, equals }: SortedOrder, walk: Walk | null): Ordered {
  const behind = equals > 0 ? behindEquals(order, first) : null
  return { column, order, first, behind, absent, before: notWalked, walked: -1, walk }
}

function behindEquals(order: Int32Array, first: Int32Array): Int32Array {
  const size = order.length
  const behind = new Int32Array(first.length).fill(size + 2)
  let end = size
  for (let place = size - 1; place >= 0; place--) {
    const i = order[place]
    behind[i] = end
    if (first[i] === place) end = place
  }
  return behind
}

/** Counts the pool along the order; nothing is done when this pool (`version`) was walked already. */
export function walkPool(ordered: Ordered, pool: Uint8Array, version: number): void {
  if (ordered.walked === version) return
  const { order } = ordered
  const size = order.length
  if (ordered.before === notWalked) ordered.before = new Int32Array(size + 3)
  const { before } = ordered
  let count = 0
  for (let place = 0; place < size; place++) {
    before[place] = count
    count += pool[order[place]]
  }
  before[size] = count
  ordered.walked = version
}

/** The rank of a member of the pool last walked: 1 = smallest, ties averaged. It has a value. */
export function rankIn({ before, first, behind }: Ordered, i: number): number {
  if (behind === null) return before[first[i]] + 1
  return (before[first[i]] + before[behind[i]] + 1) * 0.5
}

/** How many of the pool last walked have a value. */
export function rankedIn({ before, order }: Ordered): number {
  return before[order.length]
}

/** How many of a pool have no value. */
export function lackingIn({ absent }: Ordered, pool: Uint8Array): number {
  let count = 0
  for (let k = 0; k < absent.length; k++) count += pool[absent[k]]
  return count
}

interface Ranking {
  readonly ordered: Ordered
  readonly pool: Uint8Array
  readonly version: number
  readonly members: Int32Array
  /** How many of the pool have a value. */
  readonly ranked: number
  /** Rank 1 is the largest. */
  readonly large: boolean
  readonly weight: number
  /** The rank of those without a value. */
  readonly absent: number
  /** Of who is not in the pool it is written too, and means nothing. */
  readonly scores: Float64Array
}

/** Adds weight × rank in the pool to everybody's score. */
export function addRanks(ranking: Ranking): void {
  const { ordered, pool, ranked, large, weight, absent, scores } = ranking
  if (ordered.behind !== null) {
    addShared(ranking, ordered.behind)
    return
  }
  // Without equal values the walk itself counts the ranks: nothing is kept of it.
  const { order, walk } = ordered
  let rank = large ? ranked + 1 : 0
  const step = large ? -1 : 1
  if (walk) walk(rank, step, weight)
  else {
    for (let place = 0; place < order.length; place++) {
      const i = order[place]
      rank += step * pool[i]
      scores[i] += weight * rank
    }
  }
  for (let k = 0; k < ordered.absent.length; k++) scores[ordered.absent[k]] += weight * absent
}

function addShared({ ordered, pool, version, members, ranked, large, weight, absent, scores }: Ranking, behind: Int32Array): void {
  walkPool(ordered, pool, version)
  const { before, first, order } = ordered
  // What the two places of the absent say makes the rank that they have, turned round or not.
  const ascending = large ? ranked + 1 - absent : absent
  before[order.length + 1] = ascending - 1
  before[order.length + 2] = ascending
  if (large) {
    for (let k = 0; k < members.length; k++) {
      const i = members[k]
      scores[i] += weight * (ranked + 1 - (before[first[i]] + before[behind[i]] + 1) * 0.5)
    }
  } else {
    for (let k = 0; k < members.length; k++) {
      const i = members[k]
      scores[i] += weight * ((before[first[i]] + before[behind[i]] + 1) * 0.5)
    }
  }
}

/** How many of the pool have a smaller value than this one, and how many one that is not larger. */
export function around({ before, order, column }: Ordered, value: number): { smaller: number; upTo: number } {
  return { smaller: before[placeAt(order, column, value, false)], upTo: before[placeAt(order, column, value, true)] }
}

/** The places in the order whose values lie from `low` to `high`: from the first one up to the one behind the last. */
export function placesWithin({ order, column }: Ordered, low: number, high: number): { from: number; to: number } {
  if (!(low <= high)) return { from: 0, to: 0 }
  return { from: placeAt(order, column, low, false), to: placeAt(order, column, high, true) }
}

/** The first place whose value is not smaller (`after`: larger) than the given one. */
function placeAt(order: Int32Array, column: Float64Array, value: number, after: boolean): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = column[order[middle]]
    if (other < value || (after && other === value)) low = middle + 1
    else high = middle
  }
  return low
}
