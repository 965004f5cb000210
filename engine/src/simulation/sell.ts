import type { Settings } from '@convexa/contract'
import type { ExecutionModel } from './execution-model.ts'
import type { Cause } from './fills.ts'
import type { Portfolio } from './portfolio.ts'

/** Sells units as the execution model allows, at its price of the day unless another is given; true when the position is closed. */
export function sellAt(
  execution: ExecutionModel,
  settings: Settings,
  portfolio: Portfolio,
  t: number,
  i: number,
  wanted: number,
  closing: boolean,
  cause: Cause,
  raw = execution.price(i, t),
): boolean {
  if (!execution.canSell(i, t, raw)) return false
  // T+1: what was bought today stays, what was held before may go.
  const fresh = execution.settlement === 1 && portfolio.bought[i] === t ? portfolio.added[i] : 0
  const free = portfolio.units[i] - fresh
  const slip = settings.cost.slippage ?? 0
  const price = raw * (1 - slip)
  const before = execution.notes.partial
  const units = execution.sellUnits(i, t, price, Math.min(wanted, free), free, closing, portfolio.tradedOn(t, i))
  if (!(units > 0)) {
    // Less than a lot was allowed: nothing was filled, so nothing in part.
    execution.notes.partial = before
    return false
  }
  cause.partial = execution.notes.partial > before
  portfolio.sell(t, i, price, units, execution.sellFee(i, t, price * units), raw * slip * units, cause)
  return portfolio.units[i] === 0
}
