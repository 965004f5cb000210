/** Dates are `YYYY-MM-DD`; the engine has no clock, so the arithmetic of days is here. */

/** Index of a day that is not in the data: later than every index. */
export const noDay = 0x7fffffff

/** Days since 1970-01-01 (proleptic Gregorian; H. Hinnant, days_from_civil). */
export function dayNumber(date: string): number {
  const month = Number(date.slice(5, 7))
  const year = Number(date.slice(0, 4)) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + Number(date.slice(8, 10)) - 1
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468
}

/** The same day so many months later (earlier when negative), or the last of a month that has no such day. */
export function monthsLater(date: string, months: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  const begin = (of: number) => `${Math.floor(of / 12)}-${String((of % 12) + 1).padStart(2, '0')}`
  const length = dayNumber(`${begin(month + 1)}-01`) - dayNumber(`${begin(month)}-01`)
  return `${begin(month)}-${String(Math.min(Number(date.slice(8, 10)), length)).padStart(2, '0')}`
}

/** 1 Monday … 7 Sunday. */
export function weekday(date: string): number {
  return weekdayOf(dayNumber(date))
}

/** The same of a day's number. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** Weeks begin on Monday; two dates are in one week when these are equal. */
export function weekNumber(date: string): number {
  return Math.floor((dayNumber(date) + 3) / 7)
}

/** ISO 8601 week of a date, `2023-W05`: that of the year in which its Thursday lies. */
export function isoWeek(date: string): string {
  const thursday = weekNumber(date) * 7
  let year = Number(date.slice(0, 4)) + 1
  while (dayNumber(`${year}-01-01`) > thursday) year--
  const week = Math.floor((thursday - dayNumber(`${year}-01-01`)) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** Index of the first day ≥ date; dates.length when there is none. */
export function firstFrom(dates: readonly string[], date: string): number {
  let low = 0
  let high = dates.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (dates[middle] < date) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the last day ≤ date; −1 when there is none. */
export function lastUpTo(dates: readonly string[], date: string): number {
  const next = firstFrom(dates, date)
  return next < dates.length && dates[next] === date ? next : next - 1
}

/** Trading days of a year. */
export const yearDays = 242
