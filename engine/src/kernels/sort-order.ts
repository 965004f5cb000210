import { type Arena, arenaOf } from './arena.ts'
import { orderRow, type RankScratch, rankRow } from './rank.ts'

/** Sorted order of a column, and the place of each value in it. */
export interface SortedOrder {
  /** Indices of the values that are there, smallest first; equal values in no order of their own. */
  readonly order: Int32Array
  /** By index: the place, from 0, of the first of its equals; one behind the end for who has no value. */
  readonly first: Int32Array
  /** Indices of who has no value, ascending. */
  readonly absent: Int32Array
  /** How many values equal the one before them. */
  readonly equals: number
}

/** Sorts a column: by the kernel where there is one, else in JavaScript with the same result. */
export function sortedOrderOf(column: Float64Array, count: number, scratch: RankScratch): SortedOrder {
  const found = orderByKernel(column, count)
  if (found === null) return sortedOrderTwin(column, count, scratch)
  const { words, at, size, equals } = found
  return {
    first: new Int32Array(words.subarray(at, at + count)),
    order: new Int32Array(words.subarray(at + count, at + count + size)),
    absent: new Int32Array(words.subarray(at + count + size, at + 2 * count)),
    equals,
  }
}

/** Ranks of a row into `out`, as `rankRow` tells them: by the kernel where there is one. Returns how many were ranked. */
export function ranksOf(row: Float64Array, mask: Uint8Array | null, out: Float64Array, scratch: RankScratch): number {
  const count = row.length
  const { arena, answer, sorting } = runKernel('ranks', row, count, mask)
  if (arena === null) return rankRow(row, 0, count, mask, out, scratch)
  out.set(arena.cells.subarray(answer / 8, answer / 8 + count))
  return arena.words[sorting / 4]
}

/** Sums over the values of a row, with ranks relative to their mean: Σ rank × weight, Σ rank². */
export interface RankSums {
  readonly size: number
  readonly xy: number
  readonly yy: number
}

/**
 * The sums without the ranks ever being written: along the order, where there is a kernel. Ranks, their mean and weights are halves, so
 * every sum is exact in whatever order. Meant where all have a value; `size` says whether they had.
 */
export function rankSums(row: Float64Array, weights: Float64Array, out: Float64Array, scratch: RankScratch): RankSums {
  const count = row.length
  const mean = (count + 1) / 2
  const found = orderByKernel(row, count)
  let xy = 0
  if (found === null) {
    const size = rankRow(row, 0, count, null, out, scratch)
    let yy = 0
    for (let i = 0; i < count; i++) {
      xy += (out[i] - mean) * weights[i]
      yy += (out[i] - mean) * (out[i] - mean)
    }
    return { size, xy, yy }
  }
  const { words, at, size, equals } = found
  const order = at + count
  if (size < count) return { size, xy: Number.NaN, yy: Number.NaN }
  // Of numbers 1 … n without equals.
  let yy = (count * (count * count - 1)) / 12
  if (equals === 0) {
    for (let place = 0; place < count; place++) xy += (place + 1 - mean) * weights[words[order + place]]
    return { size, xy, yy }
  }
  yy = 0
  for (let place = 0; place < size; ) {
    let end = place + 1
    while (end < size && words[at + words[order + end]] === place) end++
    const rank = (place + 1 + end) * 0.5 - mean
    yy += rank * rank * (end - place)
    for (; place < end; place++) xy += rank * weights[words[order + place]]
  }
  return { size, xy, yy }
}

/** Order of a column in the memory of the kernel: by cell the place of the first of its equals, from `at` on, and behind them the cells in order. */
export interface KernelOrder {
  readonly words: Uint32Array
  readonly at: number
  readonly size: number
  readonly equals: number
}

/** Null without a kernel. What it answers stands until the next one. */
export function orderByKernel(column: Float64Array, count: number): KernelOrder | null {
  const { arena, answer } = runKernel('order', column, count, null)
  if (arena === null) return null
  const { words } = arena
  const at = answer / 4
  return { words, at, size: words[at + 2 * count], equals: words[at + 2 * count + 1] }
}

/** Has a kernel answer about a column, of whom the mask takes part, in the thread's memory; no memory where there is no kernel. Places are in bytes. */
function runKernel(
  name: 'order' | 'ranks',
  column: Float64Array,
  count: number,
  mask: Uint8Array | null,
): { readonly arena: Arena | null; readonly answer: number; readonly sorting: number } {
  const rowBytes = 8 * (count + 1)
  // The column, what the kernel answers, who takes part, the address of the column, and two rows to sort in with their counts.
  const answer = rowBytes
  const masked = answer + rowBytes + 8
  const table = masked + rowBytes
  const sorting = table + 8
  const arena = arenaOf(sorting + 2 * rowBytes + 32_768)
  const kernel = arena.kernels?.[name]
  if (!kernel) return { arena: null, answer, sorting }
  const { cells, words, bytes } = arena
  cells.set(column.length === count ? column : column.subarray(0, count))
  if (mask === null) bytes.fill(1, masked, masked + count)
  else bytes.set(mask, masked)
  words[table / 4] = 0
  kernel(answer, count, table, masked, sorting, 0)
  return { arena, answer, sorting }
}

/** The same in JavaScript. */
export function sortedOrderTwin(column: Float64Array, count: number, scratch: RankScratch): SortedOrder {
  const size = orderRow(column, 0, count, null, scratch)
  const order = new Int32Array(scratch.order.subarray(0, size))
  const first = new Int32Array(count).fill(size + 1)
  let equals = 0
  let before = Number.NaN
  let from = 0
  for (let place = 0; place < size; place++) {
    const i = order[place]
    const value = column[i]
    if (value === before) equals++
    else from = place
    before = value
    first[i] = from
  }
  const absent = new Int32Array(count - size)
  for (let i = 0, k = 0; k < absent.length; i++) if (first[i] > size) absent[k++] = i
  return { order, first, absent, equals }
}
