import { readsPriceLevel } from '../expression/price-level.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { areAdjusted } from '../panel/price-limits.ts'
import type { Ingredient, PriceLevel } from './ingredient.ts'

/** Of the factors of a request on a panel; `asked`: how a run takes prices of which the data do not say it. */
export function priceLevels(panel: Panel, market: Market, asked?: 'raw' | 'qfq' | 'hfq'): (factor: Ingredient) => PriceLevel {
  const adjust = areAdjusted(panel, market, asked) ? (panel.adjust ?? asked) : null
  return ({ expression }) => (adjust && adjust !== 'raw' && readsPriceLevel(expression, market) ? adjust : null)
}
