import type { Settings } from '@convexa/contract'
import type { ExecutionModel } from './execution-model.ts'
import type { Cause } from './fills.ts'
import type { Portfolio } from './portfolio.ts'

/** What a sale is made with. */
export interface Trading {
  readonly execution: ExecutionModel
  readonly settings: Settings
  readonly portfolio: Portfolio
}

/** An order to sell. */
export interface SellOrder {
  readonly security: number
  /** Units wanted; fewer are sold where the execution model allows fewer. */
  readonly units: number
  /** The whole position is to go, odd lots too. */
  readonly closing: boolean
  readonly cause: Cause
  /** Yuan before slippage; the execution model's price of the day when absent. */
  readonly price?: number | undefined
}

/** Sells units on a day of the panel as the execution model allows; true when nothing of the position is left. */
export function sellAt({ execution, settings, portfolio }: Trading, day: number, order: SellOrder): boolean {
  const { security, closing, cause } = order
  const raw = order.price ?? execution.price(security, day)
  if (!execution.canSell(security, day, raw)) return false
  // T+1: what was bought today stays, what was held before may go.
  const fresh = execution.settlement === 1 && portfolio.bought[security] === day ? portfolio.added[security] : 0
  const free = portfolio.units[security] - fresh
  const slippage = settings.cost.slippage ?? 0
  const price = raw * (1 - slippage)
  const partialBefore = execution.notes.partial
  const wanted = Math.min(order.units, free)
  const units = execution.sellUnits(security, day, price, wanted, free, closing, portfolio.tradedOn(day, security))
  if (!(units > 0)) {
    // Less than a lot was allowed: nothing was filled, so nothing in part.
    execution.notes.partial = partialBefore
    return false
  }
  cause.partial = execution.notes.partial > partialBefore
  portfolio.sell(day, security, price, units, execution.sellFee(security, day, price * units), raw * slippage * units, cause)
  return portfolio.units[security] === 0
}
