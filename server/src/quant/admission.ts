import { fail } from '../http/fail.ts'
import type { Tier } from '../queue/jobs.ts'
import { limits } from './limits.ts'
import type { LoadedMarket } from './loaded-market.ts'

/** Values read for one cell of a day that is asked for, and for one of any day of the data (engine: Expression). */
export interface Cost {
  readonly cost: number
  readonly historyCost: number
}

/**
 * Refuses what would read more values than the plan allows, before anything runs (reliability.md 2.3).
 * @throws Failure 22005
 */
export function admit({ snapshot }: LoadedMarket, tier: Tier, { cost, historyCost }: Cost, days: number): void {
  const values = days * cost + tradingDays(snapshot.firstDate, snapshot.lastDate) * historyCost
  if (values * snapshot.securities > limits[tier].factorValues) fail(22005)
}

/** The dearest of some. */
export const mostOf = (costs: readonly Cost[]): Cost => ({
  cost: costs.reduce((most, { cost }) => Math.max(most, cost), 0),
  historyCost: costs.reduce((most, { historyCost }) => Math.max(most, historyCost), 0),
})

/** About how many trading days: 243 of a year's days are. */
export function tradingDays(from: string, to: string): number {
  return ((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1) * (243 / 365)
}
