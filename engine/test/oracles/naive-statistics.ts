/** Statistics of a list of numbers, as textbooks write them. */

/** Equal values have their own value as mean, whatever the rounding of a sum. */
export function mean(values: readonly number[]): number {
  const first = values[0]
  return first + values.reduce((sum, value) => sum + (value - first), 0) / values.length
}

export function variance(values: readonly number[], degrees = 1): number {
  const middle = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0)
  return Number.isFinite(squares) ? squares / (values.length - degrees) : Number.NaN
}

export const deviation = (values: readonly number[]): number => Math.sqrt(variance(values))

/** The average place of a value among others, 1 = all are smaller or equal. */
export function percentile(values: readonly number[], value: number): number {
  const smaller = values.filter((other) => other < value).length
  const equal = values.filter((other) => other === value).length
  return Number.isNaN(value) ? Number.NaN : (smaller + (equal + 1) / 2) / values.length
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * q
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low + (high - low) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Places among each other, equal values share theirs. */
export const places = (values: readonly number[]): number[] => values.map((value) => percentile(values, value) * values.length)

/** No spread: smaller than 1e-12 · (1 + |mean|). */
const isFlat = (values: readonly number[]): boolean => !(deviation(values) >= 1e-12 * (1 + Math.abs(mean(values))))

/** Skewness and excess kurtosis, corrected for bias as pandas does. */
export function sampleMoments(values: readonly number[]): { skew: number; kurt: number } {
  const n = values.length
  const s = deviation(values)
  const power = (p: number) => values.reduce((sum, value) => sum + ((value - mean(values)) / s) ** p, 0)
  const skew = n < 3 || isFlat(values) ? Number.NaN : (n / (n - 1) / (n - 2)) * power(3)
  const tail = (3 * (n - 1) ** 2) / (n - 2) / (n - 3)
  const kurt = n < 4 || isFlat(values) ? Number.NaN : ((n * (n + 1)) / (n - 1) / (n - 2) / (n - 3)) * power(4) - tail
  return { skew, kurt }
}

export function covariance(x: readonly number[], y: readonly number[]): number {
  const [a, b] = [mean(x), mean(y)]
  return x.reduce((sum, value, k) => sum + (value - a) * (y[k] - b), 0) / (x.length - 1)
}

export function correlation(x: readonly number[], y: readonly number[]): number {
  if (isFlat(x) || isFlat(y)) return Number.NaN
  // No rounding error makes it larger than 1.
  return Math.max(-1, Math.min(1, covariance(x, y) / deviation(x) / deviation(y)))
}

/** Least squares y = start + slope · x. */
export function line(x: readonly number[], y: readonly number[]): { start: number; slope: number } {
  const slope = isFlat(x) ? Number.NaN : covariance(x, y) / variance(x)
  return { start: mean(y) - slope * mean(x), slope }
}
