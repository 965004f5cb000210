/** Whether a year that somebody tells may be believed: the exchanges close on every public holiday, and on much the same number of days each year. */
import { addDays, type ClosedWeekdays, datesOf, daysOfYear, isWeekend, weekdayOf } from './calendar.ts'

/** From 2008 on, since when the holidays are those of today, a year has had 238 to 246 trading days. */
const plausible = { least: 236, most: 248 }

/**
 * What is wrong with a year as a whole, in Chinese sentences; none: it may be used. A year that is announced in part lacks a holiday.
 */
export function yearFaults(year: number, weekdays: ClosedWeekdays): string[] {
  const closed = new Set(datesOf(year, weekdays))
  const faults = holidays(year)
    .filter(({ date }) => !isWeekend(date) && !closed.has(date))
    .map(({ date, name }) => `${date}（${weekdayOf(date)}）是${name}，没有休市`)
  const open = openDays(year, weekdays)
  if (faults.length === 0 && (open < plausible.least || open > plausible.most))
    faults.push(`全年有 ${open} 个交易日，历年都在 238 至 246 个之间，请核对休市安排是否完整`)
  return faults
}

/** Trading days of a year. */
export const openDays = (year: number, weekdays: ClosedWeekdays): number =>
  daysOfYear(year).filter((date) => !isWeekend(date)).length - datesOf(year, weekdays).length

/** Stretches of closed days with a weekday among them, weekends around it included, ascending; as far as they lie in the year. */
export function closures(year: number, weekdays: ClosedWeekdays): string[][] {
  const closed = new Set(datesOf(year, weekdays))
  const isClosed = (date: string) => date.startsWith(`${year}-`) && (closed.has(date) || isWeekend(date))
  const found: string[][] = []
  for (const date of closed) {
    if (found.at(-1)?.includes(date)) continue
    let first = date
    while (isClosed(addDays(first, -1))) first = addDays(first, -1)
    const dates: string[] = []
    for (let each = first; isClosed(each); each = addDays(each, 1)) dates.push(each)
    found.push(dates)
  }
  return found
}

/** Closed weekdays with no public holiday in their stretch: there was one, announced in its year (2015-09-03). Most are slips. */
export function besidesHolidays(year: number, weekdays: ClosedWeekdays): string[] {
  // The last days of a year may be closed for the first of the next.
  const known = new Set([...holidays(year).map(({ date }) => date), `${year}-12-31`])
  const closed = new Set(datesOf(year, weekdays))
  return closures(year, weekdays)
    .filter((dates) => !dates.some((date) => known.has(date)))
    .flatMap((dates) => dates.filter((date) => closed.has(date)))
}

export interface Holiday {
  readonly date: string
  readonly name: string
}

/**
 * The days of a year that are holidays by law in every year since 2008 (全国年节及纪念日放假办法); what is closed around them is for the exchanges
 * to say. Ascending.
 */
export function holidays(year: number): Holiday[] {
  return daysOfYear(year).flatMap((date) => {
    const name = bySun[date.slice(5)] ?? byMoon[lunarDay(date)] ?? (date === clearBrightness(year) ? '清明节' : undefined)
    return name === undefined ? [] : [{ date, name }]
  })
}

/** Month-day → holiday, by the calendar of the sun and by that of the moon. */
const bySun: Readonly<Record<string, string>> = {
  ...{ '01-01': '元旦', '05-01': '劳动节' },
  ...{ '10-01': '国庆节', '10-02': '国庆节', '10-03': '国庆节' },
}
const byMoon: Readonly<Record<string, string>> = { '1-1': '春节', '1-2': '春节', '5-5': '端午节', '8-15': '中秋节' }
const moon = new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' })

/** `8-15`; a leap month is none of the holidays' (`6bis-1`). */
function lunarDay(date: string): string {
  const parts = moon.formatToParts(Date.parse(`${date}T00:00:00Z`))
  const part = (type: 'month' | 'day') => parts.find((piece) => piece.type === type)?.value
  return `${part('month')}-${part('day')}`
}

/** 清明 of a year of this century: the sun at 15°, 4 or 5 April. */
const clearBrightness = (year: number): string => `${year}-04-0${Math.floor((year % 100) * 0.2422 + 4.81) - Math.floor((year % 100) / 4)}`
