// How far something is, as data: it never goes back, and what is left is said only when it can be kept.

export interface Sample {
  at: number
  percent: number
}

export interface Pace {
  /** 0–100; the highest ever reported. */
  percent: number
  samples: readonly Sample[]
}

export const noPace: Pace = { percent: 0, samples: [] }

const kept = 40

/** The pace after a report; a lower one than before changes nothing. */
export function advance(pace: Pace, percent: number, at: number): Pace {
  const next = Math.min(100, Math.max(0, percent))
  if (!(next > pace.percent)) return pace
  return { percent: next, samples: [...pace.samples.slice(-kept), { at, percent: next }] }
}

const leastSeconds = 2
const leastSamples = 5
/** How far the recent estimates of the end may lie apart, as a share of what is left. */
const steadiness = 0.35

/**
 * Whole seconds still to go, or null when it could not be kept: too early, or the pace of the last samples is not steady.
 * Each sample says when 100 % is reached at the mean pace since `began`; they must agree.
 */
export function secondsLeft(all: readonly Sample[], began: number, now: number): number | null {
  const samples = all.filter((sample) => sample.at > began)
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || samples.length < leastSamples || now - began < leastSeconds * 1000) return null
  const ends: number[] = []
  for (const sample of samples.slice(-leastSamples)) {
    const pace = (sample.percent - first.percent) / (sample.at - first.at || 1)
    if (pace > 0) ends.push(sample.at + (100 - sample.percent) / pace)
  }
  const latest = Math.max(...ends)
  const left = latest - now
  if (ends.length < leastSamples - 1 || left <= 0) return null
  return latest - Math.min(...ends) > steadiness * left + 1000 ? null : Math.max(1, Math.ceil(left / 1000))
}

/** Last quarter passed: the steps in which screen readers get the progress. */
export const quarterOf = (percent: number): 0 | 25 | 50 | 75 | 100 => {
  const quarter = Math.floor(Math.min(100, percent) / 25) * 25
  return quarter as 0 | 25 | 50 | 75 | 100
}
