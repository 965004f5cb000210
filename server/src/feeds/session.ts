/** The exchanges' clock of a day. Shanghai has had no summer time since 1991. */

import { shanghaiDate, shanghaiTime } from '../base/time.ts'
import { isTradingDay, tradingDays } from '../market/calendar.ts'

/**
 * - `before`: nothing of today yet; the night, a holiday's whole day is `closed`
 * - `auction`: 09:15–09:25 (竞价), orders without trades; `waiting`: until 09:30
 * - `morning`, `lunch`, `afternoon`; the last three minutes of the afternoon are Shenzhen's and, for stocks, Shanghai's closing auction
 * - `settling`: trades are over, sources are still writing the day
 */
export type Phase = 'closed' | 'before' | 'auction' | 'waiting' | 'morning' | 'lunch' | 'afternoon' | 'settling'

const phases: readonly (readonly [from: string, phase: Phase])[] = [
  ['00:00', 'before'],
  ['09:15', 'auction'],
  ['09:25', 'waiting'],
  ['09:30', 'morning'],
  ['11:30', 'lunch'],
  ['13:00', 'afternoon'],
  ['15:00', 'settling'],
  ['15:30', 'closed'],
]

export function phaseAt(now: Date): Phase {
  if (isTradingDay(shanghaiDate(now)) !== true) return 'closed'
  const time = shanghaiTime(now).slice(11, 16)
  return phases.findLast(([from]) => time >= from)![1]
}

/** The moment at which a phase of a day began, ms. */
const beganAt = (phase: Phase, now: Date): number => {
  const [from] = phases.find(([, one]) => one === phase)!
  return Date.parse(`${shanghaiDate(now)}T${from}:00+08:00`)
}

/** Prices may change: quotes are asked for. */
export const isLive = (phase: Phase): boolean => phase === 'auction' || phase === 'morning' || phase === 'afternoon'

/** Quotes of the day are asked for, or may still be: from the first auction until the day is over. */
export const isOpen = (phase: Phase): boolean => phase !== 'closed' && phase !== 'before'

/** The day whose quotes a source has now: today from 09:15 of a trading day on, else the last one. */
export function sessionDay(now: Date): string {
  const today = shanghaiDate(now)
  const phase = phaseAt(now)
  if (isTradingDay(today) && phase !== 'before') return today
  return tradingDays(`${Number(today.slice(0, 4)) - 1}-12-01`, today).findLast((day) => day < today) ?? today
}

/** Longest that an honest quote may be without a change of its time, in ms, while prices may change. */
const staleMs = 30_000

/**
 * Whether quotes made then are behind what a source should have now. Over lunch and after the close the last ones stay right.
 * @param newest ms of the newest row
 */
export function isStale(newest: number, now: Date): boolean {
  const phase = phaseAt(now)
  if (newest !== newest) return true
  if (isLive(phase)) {
    const bell = beganAt(phase, now)
    if (now.getTime() - newest <= staleMs) return false
    // The first prices of a session come a moment after its bell: until then those that were right before it still are.
    return now.getTime() - bell > staleMs || isStale(newest, new Date(bell - 1))
  }
  const at = new Date(newest)
  if (shanghaiDate(at) !== sessionDay(now)) return true
  const time = shanghaiTime(at).slice(11, 16)
  if (phase === 'waiting') return time < '09:24'
  if (phase === 'lunch') return time < '11:29'
  return time < '14:56'
}

const dayMs = 86_400_000
const shanghaiMs = 8 * 3_600_000

/** The next midnight of Shanghai, in ms since 1970 UTC as `now`. */
export const nextMidnight = (now: number): number => (Math.floor((now + shanghaiMs) / dayMs) + 1) * dayMs - shanghaiMs
