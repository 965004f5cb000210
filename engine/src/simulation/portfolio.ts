import { allocateColumns } from './column-buffer.ts'
import type { Cause, Fills } from './fills.ts'

/**
 * Cash and positions of a run, in yuan. Everything that is paid or received goes through here, so that
 * the gains of the securities always sum to the gain of the whole.
 */
export class Portfolio {
  cash: number
  /** By security: units held, what they cost with fees, days opened and last bought, and all money received less all paid. */
  readonly units: Float64Array
  readonly cost: Float64Array
  /** By security: interest and dividends in cash of the units held. */
  readonly income: Float64Array
  readonly opened: Int32Array
  readonly bought: Int32Array
  /** Units added on that day. */
  readonly added: Float64Array
  readonly flow: Float64Array
  /** Last price a position was valued at. */
  readonly price: Float64Array
  /** Adjustment factor that the units are up to. */
  readonly adjustment: Float64Array
  /** Securities held, in the order of buying. */
  readonly positions: number[] = []
  /** Bonds that trade no more and are not paid yet: they are worth their price, are no cash, and take no place of the holding. */
  readonly claims: number[] = []
  /** What the claims are worth together. */
  claimed = 0
  readonly fills: Fills
  /** By security: the day last traded on, and the amount traded that day. */
  readonly #tradedOn: Int32Array
  readonly #traded: Float64Array
  /** Of the current day. */
  boughtAmount = 0
  soldAmount = 0
  fees = 0
  slippage = 0

  constructor(cash: number, securities: number, fills: Fills) {
    this.cash = cash
    this.fills = fills
    const columns = allocateColumns(securities, { doubles: 8, integers: 3, bytes: 0 })
    this.units = columns.doubles()
    this.cost = columns.doubles()
    this.income = columns.doubles()
    this.opened = columns.integers().fill(-1)
    this.bought = columns.integers().fill(-1)
    this.added = columns.doubles()
    this.flow = columns.doubles()
    this.price = columns.doubles()
    this.adjustment = columns.doubles().fill(Number.NaN)
    this.#tradedOn = columns.integers().fill(-1)
    this.#traded = columns.doubles()
  }

  /** Amount of a security traded on a day so far. */
  tradedOn(day: number, i: number): number {
    return this.#tradedOn[i] === day ? this.#traded[i] : 0
  }

  startDay(): void {
    this.fills.startDay()
    this.boughtAmount = 0
    this.soldAmount = 0
    this.fees = 0
    this.slippage = 0
  }

  buy(day: number, i: number, price: number, units: number, fee: number, slippage: number, cause: Cause): void {
    const amount = price * units
    if (this.units[i] === 0) {
      this.positions.push(i)
      this.opened[i] = day
    }
    this.units[i] += units
    this.cost[i] += amount + fee
    this.added[i] = this.bought[i] === day ? this.added[i] + units : units
    this.bought[i] = day
    this.cash -= amount + fee
    this.flow[i] -= amount + fee
    this.boughtAmount += amount
    this.#countTraded(day, i, amount)
    this.fees += fee
    this.slippage += slippage
    this.fills.add({
      day,
      security: i,
      side: 'buy',
      price,
      volume: units,
      amount,
      fee,
      cost: Number.NaN,
      income: Number.NaN,
      opened: this.opened[i],
      closes: false,
      cause,
    })
  }

  /** Sells some or all; `units` of what is held or more closes the position. */
  sell(day: number, i: number, price: number, units: number, fee: number, slippage: number, cause: Cause): void {
    const all = units >= this.units[i]
    const sold = all ? this.units[i] : units
    const amount = price * sold
    const cost = all ? this.cost[i] : (this.cost[i] * sold) / this.units[i]
    const income = all ? this.income[i] : (this.income[i] * sold) / this.units[i]
    this.income[i] -= income
    this.units[i] = all ? 0 : this.units[i] - sold
    this.cost[i] = all ? 0 : this.cost[i] - cost
    this.cash += amount - fee
    this.flow[i] += amount - fee
    this.soldAmount += amount
    this.#countTraded(day, i, amount)
    this.fees += fee
    this.slippage += slippage
    this.fills.add({
      day,
      security: i,
      side: 'sell',
      price,
      volume: sold,
      amount,
      fee,
      cost,
      income,
      opened: this.opened[i],
      closes: all,
      cause,
    })
    if (all) {
      this.#forget(i)
      this.adjustment[i] = Number.NaN
    }
  }

  /** A position becomes a claim, worth so much a unit from now on. */
  claim(i: number, price: number): void {
    this.#forget(i)
    this.claims.push(i)
    this.price[i] = price
    this.#valueClaims()
  }

  /** A claim is worth another payment; false where it is worth the same. */
  reprice(i: number, price: number): boolean {
    if (this.price[i] === price) return false
    this.price[i] = price
    this.#valueClaims()
    return true
  }

  /** Those bought after it move up: without the array that a splice would make of one. */
  #forget(i: number): void {
    const { positions, claims } = this
    const at = positions.indexOf(i)
    if (at < 0) {
      claims.splice(claims.indexOf(i), 1)
      this.#valueClaims()
      return
    }
    for (let k = at + 1; k < positions.length; k++) positions[k - 1] = positions[k]
    positions.pop()
  }

  #valueClaims(): void {
    this.claimed = 0
    for (const i of this.claims) this.claimed += this.units[i] * this.price[i]
  }

  /** Interest or a dividend of a position, in cash and in units. */
  receive(i: number, amount: number, units: number): void {
    this.cash += amount
    this.flow[i] += amount
    this.income[i] += amount
    this.units[i] += units
  }

  #countTraded(day: number, i: number, amount: number): void {
    this.#traded[i] = this.tradedOn(day, i) + amount
    this.#tradedOn[i] = day
  }
}
