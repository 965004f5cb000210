import type { Payout } from './dividends-and-interest.ts'
import type { Fills } from './fills.ts'
import type { Positions } from './positions.ts'

/** Equity curve of a run, daily values in yuan, with what was bought and sold; index 0 is the first day of the run. */
export interface EquityCurve {
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

/** Equity curve with the daily totals that a report reads. */
export interface RunTotals extends EquityCurve {
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

/** Totals with every trade and the positions of every day. */
export interface Ledger extends RunTotals {
  readonly fills: Fills
  readonly positions: Positions
}
