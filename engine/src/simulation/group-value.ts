/** Back to the shares on the first trading day of a month, or never. */
export type Rebalance = 'monthly' | 'never'

/**
 * A group's value from those of its members, day after day. Put back to its share, a member goes on with its part of what the group was
 * worth at the close before; `scale` is what one yuan of its run stands for in the group. One that has lost everything gets nothing more:
 * its part goes to the others. `day` and `nav` are written from the first day on.
 */
export class GroupValue {
  readonly scales: readonly Float64Array[]
  readonly nav: Float64Array
  readonly #dates: readonly string[]
  readonly #weights: readonly number[]
  readonly #rebalance: Rebalance

  constructor(dates: readonly string[], weights: readonly number[], rebalance: Rebalance) {
    this.scales = weights.map(() => new Float64Array(dates.length).fill(1))
    this.nav = new Float64Array(dates.length)
    this.#dates = dates
    this.#weights = weights
    this.#rebalance = rebalance
  }

  /** The next day, of which all members' net values are known. */
  add(day: number, navs: readonly Float64Array[]): void {
    const before = day - 1
    const begins = day > 0 && this.#rebalance === 'monthly' && this.#dates[day].slice(0, 7) !== this.#dates[before].slice(0, 7)
    const lost = begins ? this.#weights.reduce((sum, weight, k) => sum + (navs[k][before] > 0 ? 0 : weight), 0) : 0
    const worth = lost === 0 ? this.nav[before] : this.nav[before] / (1 - lost)
    let value = 0
    this.scales.forEach((scale, k) => {
      if (day > 0) scale[day] = begins && navs[k][before] > 0 ? worth / navs[k][before] : scale[before]
      value += scale[day] * this.#weights[k] * navs[k][day]
    })
    this.nav[day] = value
  }
}

/** The whole of it, of members that have been run. */
export const valueTogether =
  (dates: readonly string[], weights: readonly number[], rebalance: Rebalance) =>
  (navs: readonly Float64Array[]): Pick<GroupValue, 'scales' | 'nav'> => {
    const value = new GroupValue(dates, weights, rebalance)
    for (let day = 0; day < dates.length; day++) value.add(day, navs)
    return value
  }
