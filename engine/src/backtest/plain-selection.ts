import { placesOf } from '../screen/recipe.ts'
import { weigh } from '../screen/weigh.ts'
import { DayRanking } from './rankings.ts'
import type { Simulation } from './simulate.ts'

/**
 * `select` and `weigh` of a plain run, read off the table of the best: whoever is kept is met in it in the order of places, so nothing
 * is sorted and nobody's place is looked up.
 */
export class PlainSelection {
  /** Who is to be held, in the order of trading, and with what share of equity. */
  readonly list: Int32Array
  weights: Float64Array = new Float64Array(0)
  /** By security: the last row whose selection it was in, counted from 1. */
  readonly chosen: Int32Array
  readonly #run: Simulation
  /** By security; 0 of who is not held. */
  readonly #units: Float64Array
  /** Places of the list. */
  readonly #places: Int32Array
  /** Opened where a place beyond the table is asked for. */
  #beyond: DayRanking | null = null

  constructor(run: Simulation, units: Float64Array) {
    const { count } = run.rankings
    this.#run = run
    this.#units = units
    this.list = new Int32Array(count)
    this.#places = new Int32Array(count)
    this.chosen = new Int32Array(count)
  }

  /** Chooses and weighs after a row of the rankings, at the prices of day `t`. Returns how many are to be held. */
  choose(row: number, t: number): number {
    const { recipe, rankings, parameters } = this.#run
    const { first, last } = placesOf(recipe.holdRange, rankings.size[row])
    const wanted = Math.max(0, last - first + 1)
    const { hold_threshold: buffer } = parameters.hold_method
    const kept = this.#keep(row, first, last + buffer, wanted)
    const size = kept + this.#fill(row, t, first, wanted - kept, kept)
    if (buffer === 0 && size > kept && kept > 0) this.#merge(kept, size)
    this.#weigh(row, size, wanted)
    return size
  }

  /** Those of the held that stand in the table up to a place, best first. */
  #keep(row: number, first: number, reach: number, wanted: number): number {
    const { order, depth, size } = this.#run.rankings
    const [list, places, chosen, units] = [this.list, this.#places, this.chosen, this.#units]
    const to = Math.min(reach, depth, size[row])
    let kept = 0
    for (let place = first; place <= to && kept < wanted; place++) {
      const i = order[row * depth + place - 1]
      if (units[i] === 0) continue
      list[kept] = i
      places[kept++] = place
      chosen[i] = row + 1
    }
    return kept
  }

  /** The best of who can be bought for the free places, behind those kept. Returns how many. */
  #fill(row: number, t: number, first: number, free: number, kept: number): number {
    if (free === 0) return 0
    const { rankings, parameters, exits, quotes } = this.#run
    const { order, depth } = rankings
    const { close, traded, perDay, perSecurity, origin } = quotes
    const [list, places, chosen] = [this.list, this.#places, this.chosen]
    const staysEmpty = parameters.hold_method.empty_slot === 'cash'
    const size = rankings.size[row]
    const known = Math.min(depth, size)
    const today = t * perDay - origin
    let end = kept
    let left = free
    for (let place = first; place <= size && left > 0; place++) {
      const i = place <= known ? order[row * depth + place - 1] : this.#at(row, place)
      if (chosen[i] === row + 1) continue
      const at = today + i * perSecurity
      if (traded[at] === 1 && close[at] > 0 && t < exits.leave[i]) {
        list[end] = i
        places[end++] = place
        left--
      } else if (staysEmpty) left--
    }
    for (let n = kept; n < end; n++) chosen[list[n]] = row + 1
    return end - kept
  }

  #at(row: number, place: number): number {
    this.#beyond ??= new DayRanking(this.#run.rankings)
    if (this.#beyond.row !== row) this.#beyond.open(row)
    return this.#beyond.at(place)
  }

  /** Puts the newcomers between those kept, by place: both are in order. */
  #merge(kept: number, size: number): void {
    const [list, places] = [this.list, this.#places]
    for (let n = kept; n < size; n++) {
      const [i, place] = [list[n], places[n]]
      let at = n
      for (; at > 0 && places[at - 1] > place; at--) {
        list[at] = list[at - 1]
        places[at] = places[at - 1]
      }
      list[at] = i
      places[at] = place
    }
  }

  #weigh(row: number, size: number, places: number): void {
    const { parameters, rankings } = this.#run
    const { hold_weight_type: type, hold_max_weight: cap } = parameters.hold_method
    const { weight, count } = rankings
    if (this.weights.length !== size) this.weights = new Float64Array(size)
    const list = this.list.subarray(0, size)
    const byPlace = type === 2 ? rankOf(this.#places.subarray(0, size)) : []
    const values = weight ? Float64Array.from(list, (i) => weight[row * count + i]) : this.weights
    weigh(type, size, places, cap, byPlace, values, this.weights)
  }
}

/** How many places stand before each. */
const rankOf = (places: Int32Array): number[] => Array.from(places, (own) => places.reduce((less, other) => less + Number(other < own), 0))
