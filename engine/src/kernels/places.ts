import { arenaOf } from './arena.ts'
import { orderRow, type RankScratch } from './rank.ts'

/** Where each value of a column stands in its order. */
export interface Places {
  /** Indices of the values that are there, smallest first; equal values in no order of their own. */
  readonly order: Int32Array
  /** By index: the place, from 0, of the first of its equals; one behind the end for who has no value. */
  readonly first: Int32Array
  /** How many values equal the one before them. */
  readonly equals: number
}

/** Puts a column in order: by the kernel where there is one, else by its twin. */
export function placesOf(column: Float64Array, count: number, scratch: RankScratch): Places {
  const rowBytes = 8 * (count + 1)
  // The column, what the kernel answers, who takes part, the address of the column, and two rows to sort in with their counts.
  const answer = rowBytes
  const mask = answer + rowBytes + 8
  const table = mask + rowBytes
  const sorting = table + 8
  const { cells, words, bytes, kernels } = arenaOf(sorting + 2 * rowBytes + 32_768)
  const kernel = kernels?.['order']
  if (!kernel) return placesOfTwin(column, count, scratch)
  cells.set(column.length === count ? column : column.subarray(0, count))
  bytes.fill(1, mask, mask + count)
  words[table / 4] = 0
  kernel(answer, count, table, mask, sorting, 0)
  const at = answer / 4
  const size = words[at + 2 * count]
  return {
    first: new Int32Array(words.subarray(at, at + count)),
    order: new Int32Array(words.subarray(at + count, at + count + size)),
    equals: words[at + 2 * count + 1],
  }
}

/** The same in JavaScript. */
export function placesOfTwin(column: Float64Array, count: number, scratch: RankScratch): Places {
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
  return { order, first, equals }
}
