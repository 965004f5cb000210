import type { FactorRef } from '@convexa/contract'
import { type Adjustment, isAdjusted } from '@convexa/contract/enums/adjust'
import { namesOf } from '../expression/index.ts'
import { readsPriceLevel } from '../expression/price-level.ts'
import type { Market } from '../market/market.ts'
import { areAdjusted } from '../market/price-limits.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { resolveFactor } from './compiled-screen.ts'
import type { PriceLevel, PriceRemark, ResolvedFactor } from './resolved-factor.ts'

/** Of the factors of a request on a panel; `ofRule`: how a run takes prices of which the data do not say it. */
export function priceLevels(panel: Panel, market: Market, ofRule?: Adjustment): (factor: ResolvedFactor) => PriceLevel {
  const adjust = areAdjusted(panel, market, ofRule) ? (panel.adjust ?? ofRule) : null
  return ({ expression }) => (adjust && isAdjusted(adjust) && readsPriceLevel(expression, market) ? adjust : null)
}

/** Of each factor, in their order: a browser that screens by their values says the same as the server. */
export function priceRemarks(panel: Panel, market: Market, refs: readonly FactorRef[]): PriceRemark[] {
  const names = namesOf(market, availableIn(panel, market.fields))
  const levelOf = priceLevels(panel, market)
  return refs.map((ref) => {
    const made = resolveFactor(market, names, ref)
    return made.ok ? { level: levelOf(made.factor), raw: made.factor.rawPrices ?? null } : { level: null, raw: null }
  })
}
