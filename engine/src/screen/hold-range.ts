/** What is held of a ranking: places, or shares of the pool. */
export interface HoldRange {
  readonly first: number
  readonly last: number
  readonly fraction: boolean
}

/** The place numbers of the holding on a day whose pool has `size` members: 1-based, both included. */
export function placesOf(range: HoldRange, size: number): { first: number; last: number } {
  if (!range.fraction) return range
  // 0.29 · 100 is 28.999…: a hair is added before the floor. A fraction of a pool that is not empty holds at least one.
  const first = Math.floor(range.first * size + 1e-9) + 1
  return { first, last: Math.max(first, Math.floor(range.last * size + 1e-9)) }
}
