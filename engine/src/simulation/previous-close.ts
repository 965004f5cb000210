import { roundHalfUp } from '../base/dated-rules.ts'
import type { Panel } from '../panel/panel.ts'

/** The smallest relative change of an adjustment factor that is an event; rounding of factors changes them by less. */
export const minFactorChange = 0.0005

/**
 * The close that a day's limits and stops are measured from: the exchange's previous close (adjusted on ex-days), else the carried close
 * of the day before. `adjustment`: factors of raw prices, which adjust that close on ex-days, rounded to the tick as the exchange does.
 */
export function previousCloseOf(
  panel: Panel,
  adjustment: Float64Array | null,
  decimals: number,
): (security: number, day: number) => number {
  const { stride } = panel
  const close = panel.columns.get('close') as Float64Array
  const previous = panel.columns.get('pre_close') ?? null
  return (i, t) => {
    const at = t * stride + i
    const stated = previous ? previous[at] : Number.NaN
    if (stated > 0 || t === 0) return stated
    const before = close[at - stride]
    const step = adjustment ? adjustment[at - stride] / adjustment[at] : 1
    return Math.abs(step - 1) <= minFactorChange ? before : roundHalfUp(before * step, decimals)
  }
}
