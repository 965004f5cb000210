import { type Correlator, correlator, type Pair } from '../kernels/correlation.ts'

/** Correlations of a day's values with the returns from that day on, at many horizons: only of who has a value, laid side by side. */
export class Horizons {
  readonly #prices: Float64Array
  readonly #stride: number
  readonly #pair: Pair
  readonly #known: Int32Array
  readonly #values: Float64Array
  readonly #price: Float64Array
  /** Of the day: who has a value, the prices they have, and their returns at a horizon. */
  #who: Int32Array = new Int32Array(0)
  #base: Float64Array = new Float64Array(0)
  #returns: Float64Array = new Float64Array(0)
  #correlator: Correlator | null = null
  #day = 0

  constructor(prices: Float64Array, stride: number, count: number, pair: Pair) {
    this.#prices = prices
    this.#stride = stride
    this.#pair = pair
    this.#known = new Int32Array(count)
    this.#values = new Float64Array(count)
    this.#price = new Float64Array(count)
  }

  /** Looks at the values of day `t`. */
  open(t: number, values: Float64Array): void {
    const row = t * this.#stride
    const [known, all, price] = [this.#known, this.#values, this.#price]
    let size = 0
    for (let i = 0; i < values.length; i++) {
      known[size] = i
      all[size] = values[i]
      price[size] = this.#prices[row + i]
      size += Number(values[i] === values[i])
    }
    this.#day = t
    this.#who = known.subarray(0, size)
    this.#base = price.subarray(0, size)
    this.#returns = new Float64Array(size)
    this.#correlator = correlator(all.subarray(0, size), this.#pair)
  }

  /** IC and rank IC at a horizon. */
  at(ahead: number): { readonly pearson: number; readonly rank: number } {
    const row = (this.#day + ahead) * this.#stride
    const [who, base, returns, prices] = [this.#who, this.#base, this.#returns, this.#prices]
    for (let k = 0; k < who.length; k++) {
      const change = prices[row + who[k]] / base[k] - 1
      returns[k] = change < Number.POSITIVE_INFINITY ? change : Number.NaN
    }
    const of = this.#correlator as Correlator
    return { pearson: of.pearson(returns), rank: of.spearman(returns) }
  }
}
