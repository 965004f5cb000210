import type { RankScratch } from '../kernels/index.ts'
import { bestFirst } from './order.ts'
import type { Ranked } from './select.ts'

/** The order of scores, lower is better: the best are searched at once, the others when they are read. */
export class RankedScores implements Ranked {
  size = 0
  readonly #scores: Float64Array
  readonly #scratch: RankScratch
  readonly #order: Int32Array
  readonly #places: Int32Array
  #known = 0
  /** A score that the last of the best hardly exceeds: that of the last time, with some room. */
  #guess = Number.POSITIVE_INFINITY

  constructor(scores: Float64Array, scratch: RankScratch) {
    this.#scores = scores
    this.#scratch = scratch
    this.#order = new Int32Array(scores.length)
    this.#places = new Int32Array(scores.length)
  }

  /** The scores are new. */
  open(size: number, depth: number): void {
    for (let place = 0; place < this.#known; place++) this.#places[this.#order[place]] = 0
    this.size = size
    this.#find(Math.min(depth, this.#scores.length))
    const [best, last] = [this.#scores[this.#order[0]], this.#scores[this.#order[this.#known - 1]]]
    const bound = last + (last - best) / 4
    this.#guess = this.#known === depth && bound === bound ? bound : Number.POSITIVE_INFINITY
  }

  at(place: number): number {
    if (place > this.#known) this.#find(this.#scores.length)
    return this.#order[place - 1]
  }

  place(security: number): number {
    const near = this.#places[security]
    if (near > 0 || this.#scores[security] !== this.#scores[security]) return near
    this.#find(this.#scores.length)
    return this.#places[security]
  }

  nearPlace(security: number): number {
    return this.#places[security]
  }

  #find(depth: number): void {
    this.#known = bestFirst(this.#scores, depth, this.#order, this.#scratch, this.#guess)
    for (let place = 0; place < this.#known; place++) this.#places[this.#order[place]] = place + 1
  }
}
