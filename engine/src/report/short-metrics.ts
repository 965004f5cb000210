import type { ShortMetrics } from '@convexa/contract'
import { orNull } from '../base/round.ts'
import { drawdownsOf } from './drawdowns.ts'
import { growthOf, leastDays, ofYear, returnsOf, sharpePerDay, winRateOf } from './metrics.ts'
import { mean } from './moments.ts'

/** Metrics of a quick run or grid cell over a stretch of its days, defined as in a report. `nav` is relative to the start of the stretch. */
export function shortMetrics(
  nav: Float64Array,
  turnover: Float64Array,
  returns: Float64Array = returnsOf(nav),
  perDay: number = sharpePerDay(returns),
): ShortMetrics {
  const { total, annual } = growthOf(returns)
  const { worst } = drawdownsOf(nav)
  const enough = nav.length >= leastDays
  return {
    total_return: orNull(total),
    annual_return: enough ? orNull(annual) : null,
    max_drawdown: worst?.depth ?? 0,
    sharpe: enough ? orNull(ofYear(perDay)) : null,
    calmar: enough && worst ? orNull(annual / Math.abs(worst.depth)) : null,
    turnover: orNull(mean(turnover)),
    win_rate: orNull(winRateOf(returns)),
  }
}
