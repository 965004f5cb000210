import type { Settings } from '@convexa/contract'
import type { Desk } from './desk.ts'
import type { Cause } from './fills.ts'
import type { Portfolio } from './portfolio.ts'

/** Sells units as the desk allows, at its price of the day unless another is given; true when the position is closed. */
export function sellAt(
  desk: Desk,
  settings: Settings,
  portfolio: Portfolio,
  t: number,
  i: number,
  wanted: number,
  closing: boolean,
  cause: Cause,
  raw = desk.price(i, t),
): boolean {
  if (!desk.canSell(i, t, raw)) return false
  // T+1: what was bought today stays, what was held before may go.
  const fresh = desk.settlement === 1 && portfolio.bought[i] === t ? portfolio.added[i] : 0
  const free = portfolio.units[i] - fresh
  const slip = settings.cost.slippage ?? 0
  const price = raw * (1 - slip)
  const before = desk.notes.partial
  const units = desk.sellUnits(i, t, price, Math.min(wanted, free), free, closing, portfolio.tradedOn(t, i))
  if (!(units > 0)) return false
  cause.partial = desk.notes.partial > before
  portfolio.sell(t, i, price, units, desk.sellFee(i, t, price * units), raw * slip * units, cause)
  return portfolio.units[i] === 0
}
