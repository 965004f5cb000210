/** The hours at which the days are asked for, on weekdays and on Saturdays, and what a source may be asked from one of them to the next. */

import { shanghaiDate } from '../base/time.ts'
import { addDays } from '../market/calendar.ts'

export const roundHours = { morning: '08:45', quotes: '16:30', events: '18:00', statements: '20:00', check: '10:00' } as const

const { check, ...onWeekdays } = roundHours
const weekdays = Object.values(onWeekdays).sort()

/** Rounds that begin on a day, in ms, ascending. */
function roundsOn(day: string): number[] {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const hours = weekday === 0 ? [] : weekday === 6 ? [check] : weekdays
  return hours.map((hour) => Date.parse(`${day}T${hour}:00+08:00`))
}

/** When the round that a moment belongs to began, and when the next one does; in ms since 1970 UTC. */
export function roundAt(now: number): { readonly began: number; readonly next: number } {
  const today = shanghaiDate(new Date(now))
  // Friday's last round goes on until Saturday, Saturday's until Monday.
  const near = [-2, -1, 0, 1, 2].flatMap((days) => roundsOn(addDays(today, days)))
  return { began: near.findLast((at) => at <= now)!, next: near.find((at) => at > now)! }
}

/** So many calls from one round to the next: what is asked for beyond them stays open (providers.md 10.1). */
export interface RequestBudget {
  readonly most: number
  /** Counts one more call. @returns false where none is left in this round */
  take(): boolean
  /** Until the next round, in ms. */
  untilNext(): number
}

/** @param now milliseconds since 1970 UTC */
export function requestBudget(most: number, now: () => number): RequestBudget {
  let began = Number.NaN
  let taken = 0
  return {
    most,
    take() {
      const round = roundAt(now()).began
      if (round !== began) [began, taken] = [round, 0]
      if (taken >= most) return false
      taken++
      return true
    },
    untilNext: () => roundAt(now()).next - now(),
  }
}
