/**
 * Trading days of years whose closed days are not known yet (推定): there every weekday but 1 January, a public holiday by law, counts as
 * one. In known years they are those of `calendar.ts`.
 *
 * For demo markets, pages and previews alone, which say so. What is published from sources, sent to a terminal or recorded for good asks
 * `calendar.ts`, where such a day is unknown; `expected-days.test.ts` holds the list of files that may import this one.
 */

import type { DataMode } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { addDays, daysOfYear, isTradingDay, isWeekend, lastYear, sessionDate, tradingDays } from './calendar.ts'

/** Whether a date lies in a year whose closed days are not known yet. */
export const isBeyondCalendar = (date: string): boolean => Number(date.slice(0, 4)) > lastYear()

/** Trading days from `from` to `to`, both included, ascending. */
export function expectedTradingDays(from: string, to: string): string[] {
  const days = tradingDays(from, to)
  for (let year = Math.max(lastYear() + 1, Number(from.slice(0, 4))); year <= Number(to.slice(0, 4)); year++)
    for (const date of daysOfYear(year)) if (date >= from && date <= to && isExpected(date)) days.push(date)
  return days
}

/** The first trading day after a date. */
export function nextExpectedDay(date: string): string {
  let next = addDays(date, 1)
  while (!isExpected(next)) next = addDays(next, 1)
  return next
}

/** The newest trading day whose session (15:00 in Shanghai) is over at `now`. */
export function lastExpectedDay(now: Date): string {
  let day = sessionDate(now)
  while (!isExpected(day)) day = addDays(day, -1)
  return day
}

/** How many trading days have closed at `now` since the last one of some data; nothing follows demo data. */
export function expectedDaysBehind({ dataMode, lastDate }: { dataMode: DataMode; lastDate: string }, now: Date): number {
  return isSynthetic(dataMode) ? 0 : expectedTradingDays(addDays(lastDate, 1), lastExpectedDay(now)).length
}

const isExpected = (date: string): boolean => isTradingDay(date) ?? (!isWeekend(date) && !date.endsWith('-01-01'))
