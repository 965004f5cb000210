/** Statistics of a list of numbers, as textbooks write them. */

/** Equal values have their own value as mean, whatever the rounding of a sum. */
export function mean(values: readonly number[]): number {
  const first = values[0]
  return first + values.reduce((sum, value) => sum + (value - first), 0) / values.length
}

export function variance(values: readonly number[], degrees = 1): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - degrees)
}

export const deviation = (values: readonly number[]): number => Math.sqrt(variance(values))

/** The average place of a value among others, 1 = all are smaller or equal. */
export function percentile(values: readonly number[], value: number): number {
  const smaller = values.filter((other) => other < value).length
  const equal = values.filter((other) => other === value).length
  return Number.isNaN(value) ? Number.NaN : (smaller + (equal + 1) / 2) / values.length
}
