import { yearDays } from '../../base/calendar.ts'
import { orNull } from '../../base/round.ts'
import { leastDays } from '../metrics.ts'

/**
 * Annual return inside the sample, and that outside ÷ it (null where the former is no gain). The sample ends before `oosStart`; null: with the
 * last fifth left out. Both null where either part is too short.
 */
export function outOfSample(
  dates: readonly string[],
  nav: ArrayLike<number>,
  oosStart: string | null,
): { inside: number | null; ratio: number | null } {
  const start = oosStart === null ? Math.floor(dates.length * 0.8) : dates.findIndex((date) => date >= oosStart)
  if (start < leastDays || dates.length - start < leastDays) return { inside: null, ratio: null }
  const inside = nav[start - 1] ** (yearDays / start) - 1
  const outside = (nav[nav.length - 1] / nav[start - 1]) ** (yearDays / (dates.length - start)) - 1
  return { inside: orNull(inside), ratio: inside > 0 ? orNull(outside / inside) : null }
}
