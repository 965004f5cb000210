import type { Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { labelOf } from '@convexa/contract/enums/table'
import { markets } from '@convexa/engine'
import type { LoadedMarket } from './loaded-market.ts'

/**
 * Why prices cannot be taken as the settings say, since the data say otherwise: dividends and splits would be counted twice. Raw prices
 * with factors are run as raw, which is reported (`settingsOn`); without factors they are taken as adjusted, which is all that can be done.
 */
export function priceProblem({ ref, adjust }: Pick<LoadedMarket, 'ref' | 'adjust'>, requestedAdjust: Settings['adjust']): string | null {
  const { adjustment } = markets[ref.kind].roles
  if (adjustment === null) return null
  if (adjustments[adjust].adjusted && !adjustments[requestedAdjust].adjusted)
    return `当前行情的价格是${labelOf(adjustments, adjust)}价，按${labelOf(adjustments, 'raw')}计算会把分红送转算两次；请把价格口径改为${labelOf(adjustments, adjust)}`
  return null
}
