/** Values in the order of days; what is absent is null. */
export type Series = readonly (number | null)[]

/** Index of the smallest value; −1 where there is none. */
export function lowest(values: Series): number {
  let at = -1
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === null || value === undefined || value >= least) continue
    least = value
    at = i
  }
  return at
}

/** Index of the last value that is there; −1 where there is none. */
export const lastKnown = (values: Series): number => values.findLastIndex((value) => value !== null)
