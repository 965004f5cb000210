import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { placesOf } from '../screen/hold-range.ts'
import { unweighed, weigh } from '../screen/weigh.ts'
import type { FastLoopTables } from './fast-loop-tables.ts'
import { DayRanking } from './rankings.ts'
import type { Simulation } from './simulation.ts'

/**
 * `select` and `weigh` of the fast loop, read off the table of the best: securities that are kept stand there in the order of places, so nothing
 * is sorted and no place is looked up. The selection is written to the lists of the state.
 */
export class FastLoopSelection {
  /** Shares of equity. */
  weights: Float64Array = new Float64Array(0)
  /** Securities weighed without a size or volatility of their own. */
  readonly unweighed = new Set<number>()
  readonly #run: Simulation
  readonly #tables: FastLoopTables
  /** Opened where a place beyond the table is asked for. */
  #beyond: DayRanking | null = null

  constructor(run: Simulation, tables: FastLoopTables) {
    this.#run = run
    this.#tables = tables
  }

  /** Chooses and weighs after a row of the rankings. Returns how many are to be held; they are seen, and priced if they can be traded. */
  choose(row: number): number {
    const { compiled, rankings, parameters } = this.#run
    const { first, last } = placesOf(compiled.holdRange, rankings.size[row])
    const { hold_threshold: buffer } = parameters.hold_method
    const wanted = last - first + 1
    const reach = Math.min(last + buffer, rankings.depth, rankings.size[row])
    const kept = this.#keep(row, first, reach, wanted)
    const size = kept < wanted ? this.#fill(row, first, reach, wanted, kept) : kept
    if (buffer === 0) this.#merge(kept, size)
    this.#weigh(row, size, wanted)
    return size
  }

  /** Those of the held that stand in the table up to a place, best first. */
  #keep(row: number, first: number, reach: number, wanted: number): number {
    const { rankings } = this.#run
    const { order } = rankings
    const { state, price: prices } = this.#tables
    const { units, price, now, seen, list, places, close, open } = state
    const table = row * rankings.depth - 1
    let kept = 0
    // Every security is written, and only held ones advance `kept`: no branch to mispredict.
    for (let place = first; place <= reach && kept < wanted; place++) {
      const i = order[table + place]
      const today = prices[table + place]
      list[kept] = i
      places[kept] = place
      close[kept] = today
      open[place - first - kept] = place
      seen[i] = row + 1
      now[i] = today > 0 ? today : price[i]
      kept += Number(units[i] !== 0)
    }
    return kept
  }

  /** Fills the free places with the best buyable securities, behind those kept. Returns the number of both. */
  #fill(row: number, first: number, reach: number, wanted: number, kept: number): number {
    const { rankings, parameters } = this.#run
    const { order, depth } = rankings
    const { buyable, price: prices, state } = this.#tables
    const { open } = state
    const staysEmpty = parameters.hold_method.empty_slot === 'cash'
    const table = row * depth - 1
    const size = rankings.size[row]
    const ranked = Math.min(depth, size)
    // All places up to `reach` have been looked at: those not kept are open.
    const opened = Math.max(0, reach - first + 1) - kept
    let end = kept
    let left = wanted - kept
    for (let k = 0; left > 0; k++) {
      const place = k < opened ? open[k] : Math.max(first, reach + 1) + k - opened
      if (place > size) break
      if (place > ranked) {
        const i = this.#securityAt(row, place)
        const today = this.#closeOf(i, row)
        if (today > 0) this.#take(i, place, today, row, end++)
        if (today > 0 || staysEmpty) left--
      } else {
        const canBuy = buyable[table + place] === 1
        if (canBuy) this.#take(order[table + place], place, prices[table + place], row, end++)
        if (canBuy || staysEmpty) left--
      }
    }
    return end
  }

  #take(i: number, place: number, today: number, row: number, at: number): void {
    const { now, seen, list, places, close } = this.#tables.state
    list[at] = i
    places[at] = place
    close[at] = today
    seen[i] = row + 1
    now[i] = today
  }

  #securityAt(row: number, place: number): number {
    this.#beyond ??= new DayRanking(this.#run.rankings)
    if (this.#beyond.row !== row) this.#beyond.open(row)
    return this.#beyond.at(place)
  }

  /** The close that a security can be bought at. */
  #closeOf(i: number, row: number): number {
    const { rankings, marks, exits, last } = this.#run
    const t = rankings.days[row] + this.#tables.later
    const at = t * marks.perDay + i * marks.perSecurity - marks.origin
    return t <= last && t < exits.leave[i] && marks.traded[at] === 1 ? marks.close[at] : Number.NaN
  }

  /** Puts the newcomers between those kept, by place: both are in order. */
  #merge(kept: number, size: number): void {
    const { list, places, close } = this.#tables.state
    for (let n = kept; n < size; n++) {
      const [i, place, today] = [list[n], places[n], close[n]]
      let at = n
      for (; at > 0 && places[at - 1] > place; at--) {
        list[at] = list[at - 1]
        places[at] = places[at - 1]
        close[at] = close[at - 1]
      }
      list[at] = i
      places[at] = place
      close[at] = today
    }
  }

  #weigh(row: number, size: number, places: number): void {
    const { parameters, rankings } = this.#run
    const { hold_weight_type: type, hold_max_weight: cap } = parameters.hold_method
    const { by } = holdWeights[type]
    // Equal weights of as many as before are those of before.
    if (by === null && this.weights.length === size && !this.#run.compiled.holdRange.fraction) return
    if (this.weights.length !== size) this.weights = new Float64Array(size)
    const { weight, count } = rankings
    const byPlace = by === 'rank' ? ranksOf(this.#tables.state.places.subarray(0, size)) : []
    const values = weight ? Float64Array.from(this.#tables.state.list.subarray(0, size), (i) => weight[row * count + i]) : this.weights
    for (const n of unweighed(type, values, size)) this.unweighed.add(this.#tables.state.list[n])
    weigh(type, size, places, cap, byPlace, values, this.weights)
  }
}

/** How many places stand before each. */
const ranksOf = (places: Int32Array): number[] => Array.from(places, (own) => places.reduce((less, other) => less + Number(other < own), 0))
