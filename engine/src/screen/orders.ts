import { type Arena, ownArena, type RankScratch, rankScratch } from '../kernels/index.ts'
import { type Ordered, orderedBy, orderedOf } from './pool-ranks.ts'

/** Orders that have a room in the memory; one more is put in order outside of it, which only takes longer. */
const rooms = 48

/**
 * The orders of columns of one length, each made once. They lie in one memory with a pool and its scores, so that kernels walk
 * along them. An order is forgotten when many others were asked for since; what `begin` leaves stays until it is called again.
 */
export class Orders {
  readonly pool: Uint8Array
  readonly scores: Float64Array
  readonly scratch: RankScratch
  readonly #count: number
  readonly #arena: Arena
  readonly #at: Places
  readonly #free: number[]
  /** By column, the last asked for behind: the order and its room; −1 = none. */
  readonly #known = new Map<Float64Array, { readonly ordered: Ordered; readonly room: number; turn: number }>()
  #turn = 0

  constructor(count: number) {
    this.#count = count
    this.scratch = rankScratch(count)
    this.#at = placesFor(count)
    const { scores, pool, everybody, bytes } = this.#at
    this.#arena = ownArena(bytes)
    this.pool = this.#arena.bytes.subarray(pool, pool + count)
    this.scores = this.#arena.cells.subarray(scores / 8, scores / 8 + count)
    this.#arena.bytes.fill(1, everybody, everybody + count)
    this.#free = this.#arena.kernels ? Array.from({ length: rooms }, (_, room) => room) : []
  }

  /** A new screen: half of the rooms are for what earlier ones asked for. */
  begin(): void {
    for (const [column, { room, turn }] of this.#known) {
      if (this.#known.size <= rooms / 2 || turn === this.#turn) break
      this.#known.delete(column)
      if (room >= 0) this.#free.push(room)
    }
    this.#turn++
  }

  of(column: Float64Array): Ordered {
    const known = this.#known.get(column)
    if (known?.turn === this.#turn) return known.ordered
    this.#known.delete(column)
    const made = known ?? this.#make(column)
    made.turn = this.#turn
    this.#known.set(column, made)
    return made.ordered
  }

  /** The order of a column that has one already. */
  known(column: Float64Array): Ordered | undefined {
    return this.#known.get(column)?.ordered
  }

  #make(column: Float64Array): { ordered: Ordered; room: number; turn: number } {
    const room = this.#free.pop() ?? -1
    const count = this.#count
    if (room < 0) return { ordered: orderedOf(column, count, this.scratch), room, turn: 0 }
    const { cells, words, kernels } = this.#arena
    const { scores, pool, everybody, values, table, sorting, orders, ofOrder } = this.#at
    const answer = orders + room * ofOrder
    cells.set(column.length === count ? column : column.subarray(0, count), values / 8)
    words[table / 4] = values
    kernels?.['order'](answer, count, table, everybody, sorting, 0)
    const first = answer / 4
    const size = words[first + 2 * count]
    const places = new Int32Array(words.buffer, answer, 2 * count)
    const order = answer + 4 * count
    const walk = (from: number, step: number, weight: number) => {
      kernels?.['add_ranks'](scores, size, order, pool, from, step, weight)
    }
    const sorted = {
      first: places.subarray(0, count),
      order: places.subarray(count, count + size),
      absent: places.subarray(count + size),
      equals: words[first + 2 * count + 1],
    }
    return { ordered: orderedBy(column, sorted, walk), room, turn: 0 }
  }
}

/** Addresses. */
interface Places {
  readonly scores: number
  readonly pool: number
  /** A byte of 1 for each. */
  readonly everybody: number
  /** The column that is being put in order, the table with its address, and room to sort in. */
  readonly values: number
  readonly table: number
  readonly sorting: number
  readonly orders: number
  readonly ofOrder: number
  readonly bytes: number
}

function placesFor(count: number): Places {
  let end = 64
  const take = (bytes: number) => {
    const at = end
    end += Math.ceil(bytes / 64) * 64
    return at
  }
  // Rows are read four cells at a time.
  const wide = count + 8
  const ofOrder = Math.ceil((2 * count + 2) / 16) * 64
  return {
    ...{ scores: take(8 * wide), pool: take(wide), everybody: take(wide), values: take(8 * wide), table: take(64) },
    ...{ sorting: take(16_384 + 12 * (wide + 8)), orders: take(rooms * ofOrder), ofOrder, bytes: end },
  }
}
