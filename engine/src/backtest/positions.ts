import type { Portfolio } from './portfolio.ts'

/**
 * Positions after each close. A list is written only on days on which it changes, and stands until the next:
 * that of day t is [from[t], to[t]).
 */
export class Positions {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly security: number[] = []
  readonly units: number[] = []
  /** What they cost with their fees, yuan. */
  readonly cost: number[] = []
  /** Last known price on the day the list was written: what stands in where a day has no close. */
  readonly price: number[] = []
  readonly opened: number[] = []
  /** Units that the day's adjustment added (送转、分红折算). */
  readonly added: number[] = []
  /** 1 while it waits for a sale that was not possible. */
  readonly waiting: number[] = []

  constructor(days: number) {
    this.from = new Int32Array(days)
    this.to = new Int32Array(days)
  }

  write(day: number, portfolio: Portfolio, grown: ReadonlyMap<number, number> | null, waits: (security: number) => boolean): void {
    this.from[day] = this.security.length
    for (const i of portfolio.held) {
      this.security.push(i)
      this.units.push(portfolio.units[i])
      this.cost.push(portfolio.cost[i])
      this.price.push(portfolio.price[i])
      this.opened.push(portfolio.opened[i])
      this.added.push(grown?.get(i) ?? 0)
      this.waiting.push(waits(i) ? 1 : 0)
    }
    this.to[day] = this.security.length
  }

  /** Nothing has changed since the day before. */
  repeat(day: number): void {
    if (day === 0) return
    this.from[day] = this.from[day - 1]
    this.to[day] = this.to[day - 1]
  }

  /** Price of an entry at the closes of a row of the panel. */
  priceAt(at: number, close: Float64Array, row: number): number {
    const price = close[row + this.security[at]]
    return price === price ? price : this.price[at]
  }
}
