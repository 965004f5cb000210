import type { Settings } from '@convexa/contract'
import type { Market } from '../market/market.ts'
import { firstFrom, never } from '../panel/calendar.ts'
import type { Panel } from '../panel/panel.ts'

/** Days by security, as indices of the panel's dates; `never` where there is none. */
export interface Exits {
  /** Last trading day. */
  readonly last: Int32Array
  /** From when it is sold and not bought any more: the day of its exit, or when its last day gets known after that. */
  readonly leave: Int32Array
  /** Waits for the redemption instead of being sold on its last day. */
  readonly waits: boolean
}

/**
 * When securities leave, and since when that is known: ideal runs read the last day from the data, realistic runs and
 * screens know it from its announcement (point in time). `call_handling` is of markets whose securities are redeemed.
 */
export function exitsOf(panel: Panel, market: Market, handling: Settings['call_handling'], pointInTime: boolean): Exits {
  const { dates, securities } = panel
  const last = new Int32Array(securities.length).fill(never)
  const exit = new Int32Array(securities.length).fill(never)
  const known = new Int32Array(securities.length).fill(pointInTime ? never : 0)
  const before = market.redeemed && handling === 't_minus_1_close' ? 1 : 0
  securities.forEach((security, i) => {
    if (security.lastDay !== null && security.lastDay <= dates[dates.length - 1]) {
      // A last day that is no trading day of the panel is the trading day before it.
      const at = firstFrom(dates, security.lastDay)
      last[i] = dates[at] === security.lastDay ? at : at - 1
      exit[i] = last[i] - before
    }
    if (pointInTime && security.lastDayKnown !== null) {
      const at = firstFrom(dates, security.lastDayKnown)
      if (at < dates.length) known[i] = at
    }
  })
  return { last, leave: exit.map((day, i) => Math.max(day, known[i])), waits: market.redeemed && handling === 'hold_to_redemption' }
}
