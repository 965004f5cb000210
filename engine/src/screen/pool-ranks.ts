import { orderRow, type RankScratch } from '../kernels/index.ts'

/**
 * A column put in order once. The ranks that any pool has in it are read off by one walk along the order (`walkPool`): how many of the
 * pool stand before a place is the rank of who stands there, and equal values share the places between the first and the last of them.
 */
export interface Ordered {
  readonly column: Float64Array
  /** Securities with a value, smallest first. */
  readonly order: Int32Array
  /** By security: the place in the order of the first of its equals; behind the end for who has no value (`rankAbsent`). */
  readonly first: Int32Array
  /** By security: the place behind the last of its equals. Null when no values are equal. */
  readonly behind: Int32Array | null
  /** By place: how many of the pool last walked stand before it; one place more than the order has, then the two of the absent. */
  readonly before: Int32Array
  /** The pool last walked. */
  walked: number
}

export function orderedOf(column: Float64Array, count: number, scratch: RankScratch): Ordered {
  const size = orderRow(column, 0, count, null, scratch)
  const order = new Int32Array(scratch.order.subarray(0, size))
  const first = new Int32Array(count)
  if (size < count) first.fill(size + 1)
  let equals = 0
  let last = Number.NaN
  for (let place = 0; place < size; place++) {
    const i = order[place]
    const value = column[i]
    equals += Number(value === last)
    last = value
    first[i] = place
  }
  const behind = equals > 0 ? shareFirst(column, order, first) : null
  return { column, order, first, behind, before: new Int32Array(size + 3), walked: -1 }
}

/** Equal values get the place of the first of them; answers the places behind them. */
function shareFirst(column: Float64Array, order: Int32Array, first: Int32Array): Int32Array {
  const size = order.length
  const behind = new Int32Array(first.length).fill(size + 2)
  for (let from = 0; from < size; ) {
    const value = column[order[from]]
    let to = from + 1
    while (to < size && column[order[to]] === value) to++
    for (let place = from; place < to; place++) {
      first[order[place]] = from
      behind[order[place]] = to
    }
    from = to
  }
  return behind
}

/** Counts the pool along the order; nothing is done when this pool (`version`) was walked already. */
export function walkPool(ordered: Ordered, pool: Uint8Array, version: number): void {
  if (ordered.walked === version) return
  const { order, before } = ordered
  const size = order.length
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

/** Lets `rankIn` answer this rank for who has no value. */
export function rankAbsent({ before, order }: Ordered, rank: number): void {
  before[order.length + 1] = rank - 1
  before[order.length + 2] = rank
}

/** How many of the pool have a value. */
export function rankedIn({ before, order }: Ordered): number {
  return before[order.length]
}

/** How many of the pool have a smaller value than this one, and how many one that is not larger. */
export function around({ before, order, column }: Ordered, value: number): { smaller: number; upTo: number } {
  return { smaller: before[placeOf(order, column, value, false)], upTo: before[placeOf(order, column, value, true)] }
}

/** The first place whose value is not smaller (`after`: larger) than the given one. */
function placeOf(order: Int32Array, column: Float64Array, value: number, after: boolean): number {
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
