import { allocateColumns } from './column-buffer.ts'
import type { Portfolio } from './portfolio.ts'

/**
 * Positions after each close. A list is written only on days on which it changes, and stands until the next:
 * that of day t is [from[t], to[t]).
 */
export class Positions {
  readonly from: Int32Array
  readonly to: Int32Array
  /** Where the claims of a day begin. */
  readonly claims: Int32Array
  security: Int32Array = new Int32Array(0)
  units: Float64Array = new Float64Array(0)
  /** Cost with fees, yuan. */
  cost: Float64Array = new Float64Array(0)
  /** Last known price on the day the list was written: what stands in where a day has no close. */
  price: Float64Array = new Float64Array(0)
  opened: Int32Array = new Int32Array(0)
  /** Units that the day's adjustment added (送转、分红折算). */
  added: Float64Array = new Float64Array(0)
  /** Cash dividends and interest received that day, yuan. */
  dayIncome: Float64Array = new Float64Array(0)
  /** Cash dividends and interest received on the units held since they were bought, yuan. */
  income: Float64Array = new Float64Array(0)
  /** 1 while it waits for a sale that was not possible. */
  waiting: Uint8Array = new Uint8Array(0)
  /** 1 = a claim, which stands behind the positions of its day. */
  claim: Uint8Array = new Uint8Array(0)
  #length = 0

  /** `capacity`: how many entries are expected. */
  constructor(days: number, capacity: number) {
    this.from = new Int32Array(days)
    this.to = new Int32Array(days)
    this.claims = new Int32Array(days)
    this.#grow(capacity)
  }

  write(
    day: number,
    portfolio: Portfolio,
    grown: ReadonlyMap<number, number> | null,
    dayIncome: ReadonlyMap<number, number> | null,
    waits: (security: number) => boolean,
  ): void {
    const entries = portfolio.claims.length > 0 ? [...portfolio.positions, ...portfolio.claims] : portfolio.positions
    const from = this.#length
    const to = from + entries.length
    if (to > this.security.length) this.#grow(2 * to)
    for (let k = 0; k < entries.length; k++) {
      const i = entries[k]
      const at = from + k
      this.security[at] = i
      this.units[at] = portfolio.units[i]
      this.cost[at] = portfolio.cost[i]
      this.income[at] = portfolio.income[i]
      this.price[at] = portfolio.price[i]
      this.opened[at] = portfolio.opened[i]
      if (waits(i)) this.waiting[at] = 1
    }
    // Rare: unwritten cells are 0.
    if (grown) for (let k = 0; k < entries.length; k++) this.added[from + k] = grown.get(entries[k]) ?? 0
    if (dayIncome) for (let k = 0; k < entries.length; k++) this.dayIncome[from + k] = dayIncome.get(entries[k]) ?? 0
    this.from[day] = from
    this.to[day] = to
    this.claims[day] = to - portfolio.claims.length
    this.claim.fill(1, this.claims[day], to)
    this.#length = to
  }

  /** Nothing has changed since the day before. */
  repeat(day: number): void {
    if (day === 0) return
    this.from[day] = this.from[day - 1]
    this.to[day] = this.to[day - 1]
    this.claims[day] = this.claims[day - 1]
  }

  /** Price of an entry at the closes of a row of the panel. */
  priceAt(at: number, close: Float64Array, row: number): number {
    if (this.claim[at] === 1) return this.price[at]
    const price = close[row + this.security[at]]
    return price === price ? price : this.price[at]
  }

  #grow(rows: number): void {
    const columns = allocateColumns(rows, { doubles: 6, integers: 2, bytes: 2 })
    this.security = columns.integers(this.security)
    this.units = columns.doubles(this.units)
    this.cost = columns.doubles(this.cost)
    this.price = columns.doubles(this.price)
    this.opened = columns.integers(this.opened)
    this.added = columns.doubles(this.added)
    this.dayIncome = columns.doubles(this.dayIncome)
    this.income = columns.doubles(this.income)
    this.waiting = columns.bytes(this.waiting)
    this.claim = columns.bytes(this.claim)
  }
}
