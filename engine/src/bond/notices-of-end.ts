/** Which notices of a call or maturity are of the end of a bond: years before it an issuer may have announced a call and waived it. */
import { dayNumber } from '../base/calendar.ts'
import { lapseDays } from '../panel/bond-terms.ts'

/** Days between two notices of one end, and between the last of them and the last trading day. */
const runDays = 70

/** The first notice of the end of a bond that traded last on a day: the later ones remind of it. `dates`: of notices, ascending; undefined: none is of this end. */
export function noticeOfEnd(dates: readonly string[], lastDay: string): string | undefined {
  const before = dates.filter((date) => date <= lastDay)
  return isApart(before.at(-1), lastDay, runDays) ? undefined : firstOfRun(before)
}

/** The first notice of an end that lies ahead, of a bond whose last day nobody knows; what nothing more is heard of lapses. */
export function noticeAhead(dates: readonly string[], today: string): string | undefined {
  return isApart(dates.at(-1), today, lapseDays + 1) ? undefined : firstOfRun(dates)
}

function firstOfRun(dates: readonly string[]): string | undefined {
  let first = dates.length - 1
  while (first > 0 && !isApart(dates[first - 1], dates[first], runDays)) first--
  return dates[first]
}

const isApart = (date: string | undefined, then: string, days: number): boolean =>
  date === undefined || dayNumber(then) - dayNumber(date) >= days
