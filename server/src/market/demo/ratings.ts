import { params } from './params.ts'
import { deviate, type Random } from './random.ts'

/** Shares of AAA, AA+, AA, AA-, A+, A, A- among the bonds of 2023 as thresholds of a normal score, best first. */
const ratingShares = [...Object.values(params.cb.rating_share['2023']!)]
const ratingThresholds = ratingShares.slice(0, -1).map((_, k) => deviate(1 - ratingShares.slice(0, k + 1).reduce((a, b) => a + b, 0)))
/** BBB: worse ratings are not modelled. */
export const worstRating = 8

/** A rating at issue, 0 = AAA: larger, more profitable and of a heavier industry is rated better; a part is chance. `value`: of the company, in 亿元. */
export function ratingOf(random: Random, value: number, roe: number, debt: number): number {
  const score = ((Math.log(value) - 4.5) / 1.2 + 0.55 * random.normal() + 3 * (roe - 0.08) + (debt >= 0.3 ? 0.6 : 0)) / 1.15
  const place = ratingThresholds.findIndex((threshold) => score >= threshold)
  return place < 0 ? ratingThresholds.length : place
}
