/** A fall of a net value below its highest so far. Days are indices; peak −1 is the starting value of 1. */
export interface Fall {
  readonly peak: number
  readonly trough: number
  /** Day on which the peak was reached again; −1 when it was not. */
  readonly recovered: number
  /** Negative fraction. */
  readonly depth: number
}

/** The deepest fall of a net value below its highest so far, as a negative fraction; 0 where it never falls. */
export function maxDrawdown(nav: readonly number[]): number {
  let high = 0
  let depth = 0
  for (const value of nav) {
    high = Math.max(high, value)
    if (high > 0) depth = Math.min(depth, value / high - 1)
  }
  return depth
}

/** Every fall of a net value that starts at 1, in time order; the deepest; the longest time below a peak, in days. */
export function drawdownsOf(nav: ArrayLike<number>): { falls: Fall[]; worst: Fall | null; longest: number } {
  const falls: Fall[] = []
  let high = 1
  let peak = -1
  let trough = -1
  let depth = 0
  for (let day = 0; day <= nav.length; day++) {
    const over = day === nav.length
    if (!over && nav[day] < high) {
      const fall = nav[day] / high - 1
      if (fall < depth) {
        depth = fall
        trough = day
      }
      continue
    }
    if (depth < 0) falls.push({ peak, trough, recovered: over ? -1 : day, depth })
    depth = 0
    if (!over) {
      high = nav[day]
      peak = day
    }
  }
  let worst: Fall | null = null
  let longest = 0
  for (const fall of falls) {
    if (worst === null || fall.depth < worst.depth) worst = fall
    const end = fall.recovered < 0 ? nav.length - 1 : fall.recovered
    longest = Math.max(longest, end - fall.peak)
  }
  return { falls, worst, longest }
}
