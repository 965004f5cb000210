import { type Correlator, correlator, type Pair } from '../kernels/correlation.ts'
import { ownArena } from '../kernels/index.ts'

export interface Coefficients {
  readonly pearson: number
  readonly rank: number
}

const none: Coefficients = { pearson: Number.NaN, rank: Number.NaN }

/**
 * Correlations of a day's values with the returns from that day on, at many horizons, over the securities with a value. Kernels do two
 * horizons at once (engine/kernels/forward.ts); without them, or where a return is absent, their JavaScript twin gives the same bits.
 */
export class Horizons {
  readonly #prices: Float64Array
  readonly #stride: number
  readonly #count: number
  readonly #pair: Pair
  readonly #room: Room
  readonly #values: Float64Array
  readonly #ranks: Float64Array
  /** Of the day: its index, how many securities have a value, and the correlator of their values. */
  #day = 0
  #size = 0
  #correlator: Correlator | null = null
  /** Rows of prices up to this day are in the room. */
  #through = -1

  /** `longest`: the horizon that lies furthest ahead. */
  constructor(prices: Float64Array, stride: number, count: number, longest: number, pair: Pair, wasm = true) {
    this.#prices = prices
    this.#stride = stride
    this.#count = count
    this.#pair = pair
    this.#room = roomFor(count, longest + 1, wasm)
    this.#values = new Float64Array(count)
    this.#ranks = new Float64Array(count)
  }

  /** Looks at the values of day `t`; days ascend. */
  open(t: number, values: Float64Array): void {
    const { cells, words, who, base, above, ranks } = this.#room
    const row = t * this.#stride
    const all = this.#values
    let size = 0
    for (let i = 0; i < values.length; i++) {
      words[who + size] = i
      all[size] = values[i]
      cells[base + size] = this.#prices[row + i]
      size += Number(values[i] === values[i])
    }
    this.#day = t
    this.#size = size
    const middled = this.#ranks.subarray(0, size)
    this.#correlator = correlator(all.subarray(0, size), this.#pair, cells.subarray(above, above + size), middled)
    for (let k = 0; k < size; k++) words[ranks + k] = 2 * middled[k]
  }

  /** IC and rank IC at each of these horizons, ascending. */
  at(horizons: readonly number[]): Coefficients[] {
    if (this.#size < 3) return horizons.map(() => none)
    if (!this.#room.kernels) return horizons.map((ahead) => this.#ofTwin(this.#returns(ahead)))
    this.#bring(this.#day + (horizons.at(-1) ?? 0))
    const found: Coefficients[] = []
    for (let k = 0; k < horizons.length; k += 2) {
      const pair = horizons.slice(k, k + 2)
      this.#atTwo(pair[0], pair[pair.length - 1])
      for (const half of pair.keys()) found.push(this.#coefficientsOf(half))
    }
    return found
  }

  #atTwo(first: number, second: number): void {
    const { words, kernels, sums, who, base, above, table, returns } = this.#room
    const inputs = [4 * who, 8 * base, this.#rowOf(first), this.#rowOf(second), 8 * returns[1], 8 * above, 8 * sums]
    words.set(inputs, table)
    kernels?.['returns_at_two'](8 * returns[0], this.#size, 4 * table, 0, 0, 0)
  }

  /** Of the first or the second of the two horizons. */
  #coefficientsOf(half: number): Coefficients {
    const { cells, words, kernels, sums, ranks, table, returns, listed, scratch } = this.#room
    const of = this.#correlator as Correlator
    const sum = cells[sums + half]
    // Somebody has no return.
    if (sum !== sum) return this.#ofTwin(cells.slice(returns[half], returns[half] + this.#size))
    const pearson = of.pearsonOf(sum, cells[sums + 2 + half], cells[sums + 4 + half])
    words[table] = 8 * returns[half]
    words[table + 1] = 4 * ranks
    const rankSums = sums + 6
    kernels?.['rank_sums'](8 * rankSums, this.#size, 4 * table, listed, 8 * scratch, 0)
    // Products of doubled ranks.
    return { pearson, rank: of.spearmanOf(cells[rankSums + 1] / 4, cells[rankSums] / 4) }
  }

  #ofTwin(returns: Float64Array): Coefficients {
    const of = this.#correlator as Correlator
    return { pearson: of.pearson(returns), rank: of.spearman(returns) }
  }

  #returns(ahead: number): Float64Array {
    const { cells, words, who, base } = this.#room
    const row = (this.#day + ahead) * this.#stride
    return Float64Array.from({ length: this.#size }, (_, k) => {
      const change = this.#prices[row + words[who + k]] / cells[base + k] - 1
      return change < Number.POSITIVE_INFINITY ? change : Number.NaN
    })
  }

  /** Rows of prices into the room, which holds those from today to the longest horizon. */
  #bring(last: number): void {
    for (let day = Math.max(this.#through + 1, this.#day); day <= last; day++) {
      const row = day * this.#stride
      this.#room.cells.set(this.#prices.subarray(row, row + this.#count), this.#room.rows + this.#placeOf(day))
    }
    this.#through = Math.max(this.#through, last)
  }

  #rowOf(ahead: number): number {
    return 8 * (this.#room.rows + this.#placeOf(this.#day + ahead))
  }

  #placeOf(day: number): number {
    return (day % this.#room.days) * this.#count
  }
}

type Room = ReturnType<typeof roomFor>

/** Memory for the kernels, and where in it everything is: in cells of 8 bytes, `who`, `ranks` and `table` in words of 4, `listed` in bytes. */
function roomFor(count: number, days: number, wasm: boolean) {
  const row = count + 2
  let end = 8
  const take = (cells: number) => {
    end += cells
    return end - cells
  }
  const [sums, table, who, ranks] = [take(8), 2 * take(4), 2 * take(row), 2 * take(row)]
  const [base, above, returns, masks] = [take(row), take(row), [take(row), take(row)], take(row)]
  const [rows, scratch] = [take(days * count), take(2 * row + 4096)]
  const { cells, words, bytes, kernels } = ownArena(8 * end)
  const listed = 8 * masks
  bytes.fill(1, listed, listed + count)
  return { cells, words, kernels: wasm ? kernels : null, days, sums, table, who, ranks, base, above, returns, listed, rows, scratch }
}
