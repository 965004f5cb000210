/** Seeded chance for tests: the same seed, the same story (mulberry32). */
export interface Chance {
  /** In [0, 1). */
  next(): number
  /** Whole number in [0, below). */
  below(below: number): number
  pick<T>(among: readonly T[]): T
}

export function chance(seed: number): Chance {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (among) => among[below(among.length)] as (typeof among)[number] }
}
