import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Tier } from '../queue/jobs.ts'
import { refusalOf } from '../usage/benefits.ts'
import type { LoadedMarket } from './loaded-market.ts'

/** Values read for one cell of a day that is asked for, and for one of any day of the data (engine: Expression). */
export interface Cost {
  readonly cost: number
  readonly historyCost: number
}

/**
 * Refuses what would read more values than the plan allows, before anything runs (reliability.md 2.3).
 * @throws ApiError 21001 a member may, 22005 nobody may
 */
export function admit(market: LoadedMarket, tier: Tier, cost: Cost, days: number): void {
  const refused = refusalOf(tier, 'formula_cost', valuesRead(market, cost, days), errorCodes.formulaTooCostly)
  if (refused) throw refused
}

/** How many values are read for so many days. */
export function valuesRead({ snapshot }: LoadedMarket, { cost, historyCost }: Cost, days: number): number {
  return (days * cost + tradingDays(snapshot.firstDate, snapshot.lastDate) * historyCost) * snapshot.securities
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
