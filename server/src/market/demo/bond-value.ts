/** What a demo bond is worth as a bond and as a right to convert. */
import { params } from './params.ts'

/** Yield over the base by rating, best first (AAA … BBB). */
const spreads = [0.006, 0.01, 0.019, 0.032, 0.045, 0.058, 0.072, 0.09, 0.11]
export const spreadOf = (rating: number): number => spreads[Math.min(rating, spreads.length - 1)]!

/** Coupons still to come and the redemption, by years from today. The last coupon is in the maturity price. */
export interface CashFlows {
  readonly coupons: readonly number[]
  readonly maturityPrice: number
}

/** Present value of what is left, `years` before maturity, at a yield with annual compounding. */
export function presentValue({ coupons, maturityPrice }: CashFlows, years: number, yieldRate: number): number {
  const rate = Math.log(1 + yieldRate)
  let value = maturityPrice * Math.exp(-rate * years)
  for (let k = coupons.length - 2, left = years - 1; left > 0 && k >= 0; k--, left--) value += coupons[k]! * Math.exp(-rate * left)
  return value
}

/** Yield to maturity before tax, annual compounding, by Newton's steps from a first guess. */
export function yieldToMaturity(flows: CashFlows, years: number, price: number, guess: number): number {
  const { coupons, maturityPrice } = flows
  let rate = Math.log(1 + Math.max(-0.95, guess))
  for (let step = 0; step < 12; step++) {
    let value = maturityPrice * Math.exp(-rate * years)
    let slope = -years * value
    for (let k = coupons.length - 2, left = years - 1; left > 0 && k >= 0; k--, left--) {
      const part = coupons[k]! * Math.exp(-rate * left)
      value += part
      slope -= left * part
    }
    const move = (value - price) / slope
    rate -= move
    if (Math.abs(move) < 1e-11) break
  }
  return Math.exp(rate) - 1
}

/**
 * Price of a bond worth `worth` in shares and `pure` as a bond: the bond and the right to exchange it for the shares (W. Margrabe,
 * Journal of Finance 1978), with `width` = volatility × √time, and the hope that the issuer lowers the conversion price, which counts
 * most where the shares are far away. Smooth, so that no gain comes from a kink.
 */
export function fairPrice(worth: number, pure: number, width: number, hope: number): number {
  const d = Math.log(worth / pure) / width + width / 2
  const inside = normalShare(d)
  return pure + worth * inside - pure * normalShare(d - width) + hope * (1 - inside)
}

/** Width at four years left and a stock of usual risk, and yuan of hope: set so that the median premium by conversion value is met. */
export const usualWidth = 0.5
export const usualHope = 9

/** Distribution function of the normal (Abramowitz and Stegun 26.2.17, error 7.5e-8). */
function normalShare(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const tail =
    0.3989422804014327 *
    Math.exp((-x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return x >= 0 ? 1 - tail : tail
}

/** Turnover of an ordinary day by what is left of the bond (亿元): medians of 2022, between them on logarithmic scales. */
const sizePoints = [0.6, 1.5, 2.5, 4, 7, 14, 30, 80].map(Math.log)
const turnovers = Object.values(params.cb.turnover_median_by_remain_yi_2022).map((percent) => Math.log(percent / 100))

export function usualTurnover(remain: number): number {
  const x = Math.log(Math.max(0.3, remain))
  let k = 1
  while (k < sizePoints.length - 1 && sizePoints[k]! < x) k++
  const share = (x - sizePoints[k - 1]!) / (sizePoints[k]! - sizePoints[k - 1]!)
  return Math.exp(turnovers[k - 1]! + share * (turnovers[k]! - turnovers[k - 1]!))
}
