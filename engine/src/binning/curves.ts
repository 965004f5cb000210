import { Members } from './members.ts'

/** What became of the bins as portfolios: formed every so many days, held in between, no costs. */
export class BinCurves {
  /** By bin: net value of each day, 1 on the day of the first formation. */
  readonly nav: Float64Array[]
  /** By bin: 1 on days of which it has no return, for want of members. */
  readonly absent: Uint8Array[]
  /** Members leaving and entering: by bin, shares of new names summed over formations, and how many formations were compared. */
  readonly #fresh: Float64Array
  readonly #compared: Float64Array
  /** bins × bins: members that went from one bin to another between two formations. */
  readonly #moves: Float64Array
  readonly #base: Float64Array
  readonly #bins: number
  readonly #members: Members
  #before: Int8Array | null = null

  constructor(bins: number, days: number, securities: number) {
    this.#bins = bins
    this.nav = Array.from({ length: bins }, () => new Float64Array(days).fill(1))
    this.absent = Array.from({ length: bins }, () => new Uint8Array(days))
    this.#fresh = new Float64Array(bins)
    this.#compared = new Float64Array(bins)
    this.#moves = new Float64Array(bins * bins)
    this.#base = new Float64Array(bins).fill(1)
    this.#members = new Members(bins, securities)
  }

  /** Values the day: every bin at its members' prices since their formation. */
  mark(day: number, prices: Float64Array, row: number): void {
    const { security, price, weight, from, total } = this.#members
    for (let bin = 0; bin < this.#bins; bin++) {
      let value = 0
      for (let k = from[bin]; k < from[bin + 1]; k++) value += (weight[k] * prices[row + security[k]]) / price[k]
      this.absent[bin][day] = Number(!(total[bin] > 0))
      this.nav[bin][day] = total[bin] > 0 ? (this.#base[bin] * value) / total[bin] : this.#base[bin]
    }
  }

  /** Forms the bins anew at the day's prices, after it was valued. */
  form(day: number, bins: Int8Array, prices: Float64Array, row: number, weightOf: (security: number) => number): void {
    for (let bin = 0; bin < this.#bins; bin++) this.#base[bin] = this.nav[bin][day]
    if (this.#before) this.#compare(this.#before, bins)
    this.#before = bins.slice()
    this.#members.form(bins, prices, row, weightOf)
  }

  /** Share of new names at a formation, by bin; NaN where nothing was compared. */
  turnover(bin: number): number {
    return this.#fresh[bin] / this.#compared[bin]
  }

  /** Shares of a bin's members by the bin of the next formation; rows sum to 1, NaN where there were none. */
  transition(): number[][] {
    const bins = Array.from({ length: this.#bins }, (_, bin) => bin)
    return bins.map((from) => {
      const row = bins.map((to) => this.#moves[from * this.#bins + to])
      const total = row.reduce((sum, count) => sum + count, 0)
      return row.map((count) => count / total)
    })
  }

  #compare(before: Int8Array, now: Int8Array): void {
    const [size, fresh] = [new Float64Array(this.#bins), new Float64Array(this.#bins)]
    for (let i = 0; i < now.length; i++) {
      const [from, to] = [before[i], now[i]]
      if (to >= 0) {
        size[to]++
        if (from !== to) fresh[to]++
      }
      if (from >= 0 && to >= 0) this.#moves[from * this.#bins + to]++
    }
    for (let bin = 0; bin < this.#bins; bin++) {
      if (size[bin] === 0) continue
      this.#fresh[bin] += fresh[bin] / size[bin]
      this.#compared[bin]++
    }
  }
}
