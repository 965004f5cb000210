import type { Drawdown } from '@convexa/contract'

/** One fall of a curve below an earlier high. Places are day indices; −1 is the starting capital before the first day. */
export interface Fall {
  peak: number
  trough: number
  /** The day at which the old high was reached again; null while it has not been. */
  end: number | null
  /** Negative fraction. */
  depth: number
}

/** value ÷ highest value so far − 1, the starting value 1 included. */
export function drawdownCurve(nav: ArrayLike<number>): Float64Array {
  const curve = new Float64Array(nav.length)
  let high = 1
  for (let t = 0; t < nav.length; t++) {
    if (nav[t] > high) high = nav[t]
    curve[t] = nav[t] / high - 1
  }
  return curve
}

/** Every fall in the order of time; the last may still be open. */
export function fallsOf(nav: ArrayLike<number>): Fall[] {
  const falls: Fall[] = []
  let high = 1
  let peak = -1
  let open: Fall | null = null
  for (let t = 0; t < nav.length; t++) {
    if (nav[t] >= high) {
      if (open) open.end = t
      open = null
      high = nav[t]
      peak = t
      continue
    }
    const depth = nav[t] / high - 1
    if (!open) falls.push((open = { peak, trough: t, end: null, depth }))
    else if (depth < open.depth) {
      open.depth = depth
      open.trough = t
    }
  }
  return falls
}

/** The deepest fall, null for a curve that never falls; of equal ones the first. */
export function deepest(falls: readonly Fall[]): Fall | null {
  let worst: Fall | null = null
  for (const fall of falls) if (!worst || fall.depth < worst.depth) worst = fall
  return worst
}

/** Trading days of the longest time below an earlier high, up to the day of recovery or the last day. */
export function longestUnderWater(falls: readonly Fall[], days: number): number {
  let longest = 0
  for (const fall of falls) longest = Math.max(longest, (fall.end ?? days - 1) - fall.peak)
  return longest
}

/** The deepest falls as the report lists them. A peak before the first day is dated by the first day. */
export function drawdownList(dates: readonly string[], nav: ArrayLike<number>, bench: ArrayLike<number> | null, most = 10): Drawdown[] {
  const at = (curve: ArrayLike<number>, t: number) => (t < 0 ? 1 : curve[t])
  return fallsOf(nav)
    .sort((a, b) => a.depth - b.depth || a.peak - b.peak)
    .slice(0, most)
    .map((fall) => ({
      peak: dates[Math.max(0, fall.peak)],
      trough: dates[fall.trough],
      end: fall.end === null ? null : dates[fall.end],
      depth: fall.depth,
      down_days: fall.trough - Math.max(0, fall.peak),
      recover_days: fall.end === null ? null : fall.end - fall.trough,
      bench_return: bench ? at(bench, fall.trough) / at(bench, fall.peak) - 1 : null,
    }))
}
