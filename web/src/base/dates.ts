import { halfWidth } from './read-number.ts'

/** Dates as the screen writes them: days `2026-11-20`, moments in Asia/Shanghai, whatever the machine's own zone. */

const week = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'] as const

/** A moment as the clocks of Shanghai show it. */
export interface ShanghaiTime {
  /** `2026-11-20` */
  date: string
  /** `14:32` */
  time: string
  /** Of the day. */
  minute: number
  weekday: number
  year: number
}

export function shanghai(now: number): ShanghaiTime {
  // Shanghai has no summer time: UTC + 8 h all year.
  const here = new Date(now + 8 * 3_600_000)
  const text = here.toISOString()
  return {
    date: text.slice(0, 10),
    time: text.slice(11, 16),
    minute: here.getUTCHours() * 60 + here.getUTCMinutes(),
    weekday: here.getUTCDay(),
    year: here.getUTCFullYear(),
  }
}

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** `周五` */
export const weekdayName = (date: string): string => week[weekdayOf(date)] ?? ''

/** `2026-11-20 周五`; nothing of nothing. Beside a date it is the tooltip. */
export const dayWords = (date: string): string => (date ? `${date} ${weekdayName(date)}` : '')

/** The day so many days after another. */
export const dayAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Closed dates of a year whose closed days are not known yet (推定): the weekends, on which the exchanges never trade, and 1 January, a public
 * holiday by law. Ascending, `2027-01-01`.
 */
export function expectedClosedDates(year: number): string[] {
  const dates: string[] = []
  for (let date = `${year}-01-01`; date.startsWith(`${year}-`); date = dayAfter(date))
    if (weekdayOf(date) % 6 === 0 || date.endsWith('-01-01')) dates.push(date)
  return dates
}

/** `2026-11-20 14:32:05` of an ISO time with +08:00. */
export const dateTime = (iso: string): string => iso.slice(0, 19).replace('T', ' ')

/** A moment or a day within this year as `11-22 19:08`, `11-22`, of another as `2025-11-22`: a list has little room, what it leads to says it whole. */
export const shortTime = (iso: string, year = shanghai(Date.now()).year): string =>
  iso.startsWith(`${year}-`) ? dateTime(iso).slice(5, 16) : iso.slice(0, 10)

/** Whether a text is a day of the calendar: `2026-11-20`, not `2023-02-31`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** The day that a text is, as `2026-11-20`, or null: `2026/1/5`, `2026.1.5`, `20260105`, `2026年1月5日`, in full-width signs too. */
export function readDate(text: string): string | null {
  const typed = halfWidth(text)
  const parts = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/.exec(typed) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(typed)
  if (!parts) return null
  const date = parts
    .slice(1)
    .map((part) => part.padStart(2, '0'))
    .join('-')
  return isDate(date) ? date : null
}
