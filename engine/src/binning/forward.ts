import { withDerived } from '../market/derived-columns.ts'
import type { Panel } from '../panel/panel.ts'

/**
 * Prices whose quotients are returns. The last price is carried on after a delisting, so that a security which leaves inside a window counts,
 * without survivorship bias. Rows of `stride` cells; NaN before the first price.
 */
export function carriedPrices(panel: Panel, key: string): Float64Array {
  const source = withDerived(panel, [key]).columns.get(key) ?? new Float64Array(0)
  const { stride } = panel
  const prices = source.slice()
  for (let at = stride; at < prices.length; at++) if (prices[at] !== prices[at]) prices[at] = prices[at - stride]
  return prices
}

/** Returns from a day's price to that so many days later, into `out`; NaN where either is not known. Securities outside the mask are left out. */
export function forwardReturns(
  prices: Float64Array,
  stride: number,
  t: number,
  horizon: number,
  mask: Uint8Array,
  out: Float64Array,
): void {
  const [now, then] = [t * stride, (t + horizon) * stride]
  for (let i = 0; i < out.length; i++) {
    const change = prices[then + i] / prices[now + i] - 1
    out[i] = mask[i] === 1 && change < Number.POSITIVE_INFINITY ? change : Number.NaN
  }
}
