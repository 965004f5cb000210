import { shanghaiDate } from '../src/base/time.ts'
import type { CalendarDay } from '../src/feeds/rows.ts'
import {
  addDays,
  builtInYear,
  type ClosedWeekdays,
  closedWeekdaysIn,
  closedWeekdaysOf,
  datesOf,
  isWeekend,
} from '../src/market/calendar.ts'
import { holidays } from '../src/market/calendar-checks.ts'

/** Closed weekdays of a year as the exchanges might have announced them: its holidays with the days around them. Made up, of no real year. */
export function madeUpYear(year: number): ClosedWeekdays {
  const days = holidays(year)
  const springs = days.filter(({ name }) => name === '春节')
  const spring = springs[0]?.date ?? ''
  const around = [
    ...Array.from({ length: 7 }, (_, i) => addDays(spring, i - 1)),
    ...Array.from({ length: 5 }, (_, i) => `${year}-05-0${i + 1}`),
    ...Array.from({ length: 7 }, (_, i) => `${year}-10-0${i + 1}`),
  ]
  return closedWeekdaysIn([...days.map(({ date }) => date), ...around])
}

/** Years of which a month from `now` on has days and the program knows none: a test that is about something else is given them, made up. */
export function yearsAhead(now: Date): number[] {
  const last = Number(addDays(shanghaiDate(now), 31).slice(0, 4))
  return Array.from({ length: Math.max(0, last - builtInYear) }, (_, i) => builtInYear + 1 + i)
}

/** What a source says from one day to another: days of the built-in years as they are, then years that are made up. Nothing after `through`. */
export function madeUpDays(from: string, to: string, through = to): CalendarDay[] {
  const closed = new Set<string>()
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++)
    for (const date of datesOf(year, (year > builtInYear ? null : closedWeekdaysOf(year)) ?? madeUpYear(year))) closed.add(date)
  const found: CalendarDay[] = []
  for (let date = from; date <= to && date <= through; date = addDays(date, 1))
    found.push({ date, open: !isWeekend(date) && !closed.has(date) })
  return found
}
