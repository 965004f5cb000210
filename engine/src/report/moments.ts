/** Sums over plain arrays, in index order so that they repeat to the bit. Every one answers NaN where it is not defined. */

export function mean(x: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += x[i]
  return x.length > 0 ? sum / x.length : Number.NaN
}

/** Sum of (x − mean)^power. */
function central(x: ArrayLike<number>, power: number): number {
  const centre = mean(x)
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += (x[i] - centre) ** power
  return sum
}

/** Sample variance, ddof 1. */
export function variance(x: ArrayLike<number>, centre: number = mean(x)): number {
  if (x.length < 2) return Number.NaN
  let sum = 0
  // The same as a power of 2 to the last bit, and no call.
  for (let i = 0; i < x.length; i++) sum += (x[i] - centre) * (x[i] - centre)
  return sum / (x.length - 1)
}

/** Sample standard deviation, ddof 1. */
export const deviation = (x: ArrayLike<number>, centre?: number): number => Math.sqrt(variance(x, centre))

/** Sample covariance, ddof 1. */
export function covariance(x: ArrayLike<number>, y: ArrayLike<number>): number {
  if (x.length < 2) return Number.NaN
  const mx = mean(x)
  const my = mean(y)
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += (x[i] - mx) * (y[i] - my)
  return sum / (x.length - 1)
}

/** Bias-corrected skewness (adjusted Fisher–Pearson), as pandas. */
export function skewness(x: ArrayLike<number>): number {
  const n = x.length
  if (n < 3) return Number.NaN
  const m2 = central(x, 2) / n
  if (m2 === 0) return Number.NaN
  return ((Math.sqrt(n * (n - 1)) / (n - 2)) * (central(x, 3) / n)) / m2 ** 1.5
}

/** Bias-corrected excess kurtosis, as pandas. */
export function kurtosis(x: ArrayLike<number>): number {
  const n = x.length
  if (n < 4) return Number.NaN
  const s2 = central(x, 2)
  if (s2 === 0) return Number.NaN
  const adjust = (3 * (n - 1) ** 2) / ((n - 2) * (n - 3))
  return (n * (n + 1) * (n - 1) * central(x, 4)) / ((n - 2) * (n - 3) * s2 ** 2) - adjust
}

/** Quantile by linear interpolation between order statistics, q in 0–1. */
export function quantile(x: ArrayLike<number>, q: number): number {
  return quantileOfSorted(Float64Array.from(x).sort(), q)
}

/** The same of values in ascending order. */
export function quantileOfSorted(sorted: Float64Array, q: number): number {
  if (sorted.length === 0) return Number.NaN
  const place = q * (sorted.length - 1)
  const low = Math.floor(place)
  const high = Math.ceil(place)
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low)
}
