import type { Fills } from './fills.ts'
import type { Payout } from './payouts.ts'
import type { Positions } from './positions.ts'

/** What became of the money, day by day, in yuan; index 0 is the first day of the run. */
export interface Money {
  readonly first: number
  readonly capital: number
  readonly equity: Float64Array
  /** Equity had the day not been traded on, at its closes. */
  readonly before: Float64Array
  readonly bought: Float64Array
  readonly sold: Float64Array
  readonly warnings: readonly string[]
  /** Interest that the run leaves out, a year's worth as a fraction; null where it is not known, absent where none is left out. */
  readonly leftOutInterest?: number | null
}

/** The same with what a report asks for. */
export interface Totals extends Money {
  readonly cash: Float64Array
  readonly fees: Float64Array
  readonly slippage: Float64Array
  /** Row of the rankings made that day, −1 on other days. */
  readonly signal: Int32Array
  /** Interest and dividends. */
  readonly payouts: readonly Payout[]
  /** By security: gain in yuan, closed and open. */
  readonly gain: Float64Array
}

/** The same with every trade and the positions of every day. */
export interface Ledger extends Totals {
  readonly fills: Fills
  readonly positions: Positions
}
