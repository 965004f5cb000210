import type { DataMode } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { shanghaiDate } from '../base/time.ts'
import { closedWeekdays } from './calendar-days.ts'

/**
 * Weekdays on which both exchanges are closed, by year. What a process knows, like the time zones: it begins as the program's own table and
 * is only ever replaced as a whole (`learnYears`), so nobody meets half a year.
 */
let known: Readonly<Record<string, ClosedWeekdays>> = closedWeekdays

/** Weekdays of a year as in the table: MMDD, ascending, a space between. */
export type ClosedWeekdays = string

/** First year whose trading days are known. */
export const firstYear = Math.min(...Object.keys(closedWeekdays).map(Number))
/** The last year of the program's own table. */
export const builtInYear = Math.max(...Object.keys(closedWeekdays).map(Number))
/** The last year whose trading days are known now. */
export const lastYear = (): number => Math.max(...Object.keys(known).map(Number))

/** Takes what was said of years, over the program's own table. A year behind one that is missing stays unknown: days are counted from one to the next. */
export function learnYears(said: ReadonlyMap<number, ClosedWeekdays>): void {
  const next: Record<string, ClosedWeekdays> = { ...closedWeekdays }
  for (const year of [...said.keys()].sort((a, b) => a - b)) if (year in next || year - 1 in next) next[year] = said.get(year) ?? ''
  known = next
}

/** Closed weekdays of a year; null: it is not known, or not in the program's own table. */
export const closedWeekdaysOf = (year: number): ClosedWeekdays | null => known[year] ?? null
export const builtInWeekdaysOf = (year: number): ClosedWeekdays | null => closedWeekdays[year] ?? null

/** For an operator whose calendar is over. */
export const calendarEnd = (): string => `交易日历只到 ${lastYear()} 年，之后的交易日不会采集，${remedy(lastYear() + 1)}`
const remedy = (year: number): string => `请用 ./convexa feed calendar set ${year} 设置 ${year} 年的休市日，或更新程序`

/** Every closed date of a year as YYYY-MM-DD, weekends included; null for a year without data. */
export function closedDates(year: number): string[] | null {
  const weekdays = known[year]
  if (weekdays === undefined) return null
  const closed = new Set(weekdays.split(' '))
  return daysOfYear(year).filter((date) => isWeekend(date) || closed.has(monthDay(date)))
}

/** Trading days from `from` to `to`, both included, ascending; only of years with data. */
export function tradingDays(from: string, to: string): string[] {
  const days: string[] = []
  for (let year = Math.max(firstYear, Number(from.slice(0, 4))); year <= Math.min(lastYear(), Number(to.slice(0, 4))); year++) {
    for (const date of tradingDaysOf(year)) if (date >= from && date <= to) days.push(date)
  }
  return days
}

/** By year, as long as its closed days stay: imports ask for the same years thousands of times. */
const byYear = new Map<number, { readonly closed: ClosedWeekdays | undefined; readonly days: readonly string[] }>()

function tradingDaysOf(year: number): readonly string[] {
  const kept = byYear.get(year)
  if (kept && kept.closed === known[year]) return kept.days
  const closed = new Set(closedDates(year))
  const days = daysOfYear(year).filter((date) => !closed.has(date))
  byYear.set(year, { closed: known[year], days })
  return days
}

/** true or false for a year with data, null otherwise. */
export function isTradingDay(date: string): boolean | null {
  const weekdays = known[date.slice(0, 4)]
  if (weekdays === undefined) return null
  return !isWeekend(date) && !weekdays.includes(monthDay(date))
}

/** The first trading day after a date; null where the calendar ends before it. */
export function nextTradingDay(date: string): string | null {
  for (let next = addDays(date, 1); ; next = addDays(next, 1)) {
    const trades = isTradingDay(next)
    if (trades !== false) return trades === null ? null : next
  }
}

/** The newest trading day whose session (15:00 in Shanghai) is over at `now`; never later than the last year with data. */
export function lastClosedDay(now: Date): string {
  const date = sessionDate(now)
  return tradingDays(`${Number(date.slice(0, 4)) - 1}-12-01`, date).at(-1) ?? lastKnownDay()
}

/**
 * How many trading days have closed at `now` since the last one of some data; nothing follows demo data.
 * null: nobody can know, the calendar ends before `now`.
 */
export function daysBehind({ dataMode, lastDate }: { dataMode: DataMode; lastDate: string }, now: Date): number | null {
  if (isSynthetic(dataMode)) return 0
  return isTradingDay(sessionDate(now)) === null ? null : tradingDays(addDays(lastDate, 1), lastClosedDay(now)).length
}

/** Warning for the operator while there is still time: the exchanges publish a year in the December before it. */
export function calendarNotice(now: Date): string | null {
  const today = shanghaiDate(now)
  if (isTradingDay(today) === null) return calendarEnd()
  return isTradingDay(addDays(today, noticeDays)) === null ? `交易日历只到 ${lastYear()} 年，年底前${remedy(lastYear() + 1)}` : null
}
const noticeDays = 21

/** Days later, as YYYY-MM-DD; negative = earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Calendar days from `from` to `to`. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)

/** Moved back by 15 hours, a day begins when its session ends. */
export const sessionDate = (now: Date): string => shanghaiDate(new Date(now.getTime() - 15 * 3_600_000))

const lastKnownDay = (): string => tradingDays(`${lastYear()}-01-01`, `${lastYear()}-12-31`).at(-1)!

/** `2026-10-08` → `1008`. */
const monthDay = (date: string): string => date.slice(5, 7) + date.slice(8)

/** The dates of some weekdays of a year, and back. */
export const datesOf = (year: number, weekdays: ClosedWeekdays): string[] =>
  weekdays === '' ? [] : weekdays.split(' ').map((day) => `${year}-${day.slice(0, 2)}-${day.slice(2)}`)
export const closedWeekdaysIn = (dates: Iterable<string>): ClosedWeekdays =>
  [...new Set(dates)]
    .filter((date) => !isWeekend(date))
    .map(monthDay)
    .sort()
    .join(' ')

export const isWeekend = (date: string): boolean => dayOfWeek(date) % 6 === 0

/** `星期五` */
export const weekdayOf = (date: string): string => `星期${'日一二三四五六'[dayOfWeek(date)]}`

const dayOfWeek = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Every date of a year. */
export function daysOfYear(year: number): string[] {
  const days: string[] = []
  for (let date = `${year}-01-01`; date.startsWith(String(year)); date = addDays(date, 1)) days.push(date)
  return days
}
