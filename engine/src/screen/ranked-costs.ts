import type { RankScratch } from '../kernels/index.ts'
import { bestFirst } from './order.ts'
import type { Ranked } from './select.ts'

/** The order of costs: the best are looked for at once, the others when someone asks for them. */
export class RankedCosts implements Ranked {
  size = 0
  readonly #cost: Float64Array
  readonly #scratch: RankScratch
  readonly #order: Int32Array
  readonly #places: Int32Array
  #known = 0
  /** A cost that the last of the best hardly exceeds: that of the last time, with some room. */
  #guess = Number.POSITIVE_INFINITY

  constructor(cost: Float64Array, scratch: RankScratch) {
    this.#cost = cost
    this.#scratch = scratch
    this.#order = new Int32Array(cost.length)
    this.#places = new Int32Array(cost.length)
  }

  /** The costs are new. */
  open(size: number, depth: number): void {
    for (let place = 0; place < this.#known; place++) this.#places[this.#order[place]] = 0
    this.size = size
    this.#find(Math.min(depth, this.#cost.length))
    const [best, last] = [this.#cost[this.#order[0]], this.#cost[this.#order[this.#known - 1]]]
    const bound = last + (last - best) / 4
    this.#guess = this.#known === depth && bound === bound ? bound : Number.POSITIVE_INFINITY
  }

  at(place: number): number {
    if (place > this.#known) this.#find(this.#cost.length)
    return this.#order[place - 1]
  }

  place(security: number): number {
    const near = this.#places[security]
    if (near > 0 || this.#cost[security] !== this.#cost[security]) return near
    this.#find(this.#cost.length)
    return this.#places[security]
  }

  nearPlace(security: number): number {
    return this.#places[security]
  }

  #find(depth: number): void {
    this.#known = bestFirst(this.#cost, depth, this.#order, this.#scratch, this.#guess)
    for (let place = 0; place < this.#known; place++) this.#places[this.#order[place]] = place + 1
  }
}
