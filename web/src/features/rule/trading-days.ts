import { dayAfter } from '../../base/dates.ts'
import type { DataRange } from './draft.ts'

/** Whether the exchanges are shut on a day; null while the year's closed dates are not here. */
export type Closed = (date: string) => boolean | null

export type Snapped = { date: string; moved: boolean }

/** Why there is nothing to see on a day (product.md 2.13); null inside the data. */
export function outsideWords(date: string, { start, end }: DataRange): string | null {
  if (date < start) return `该日期没有数据（数据从 ${start} 开始）`
  return date > end ? `该日期没有数据（数据到 ${end} 为止）` : null
}

/** The day that is looked at first: so long before the data's end that what came in the 20 trading days after is known. */
export const firstDay = ({ start, end }: DataRange): string => {
  const day = dayAfter(end, -35)
  return day < start ? start : day
}

/** The longest holidays are shorter. */
const longest = 15

/** The day itself where it is a trading day, else the one before it (product.md 2.13); within the data. */
export function snapped(date: string, range: DataRange, closed: Closed): Snapped {
  let day = date > range.end ? range.end : date < range.start ? range.start : date
  for (let i = 0; i < longest && closed(day) === true && day > range.start; i++) day = dayAfter(day, -1)
  return { date: day, moved: day !== date }
}

/** The next trading day in a direction; null at the ends of the data. */
export function stepDay(date: string, step: 1 | -1, range: DataRange, closed: Closed): string | null {
  let day = dayAfter(date, step)
  for (let i = 0; i < longest && closed(day) === true; i++) day = dayAfter(day, step)
  return day < range.start || day > range.end ? null : day
}

const pad = (number: number) => String(number).padStart(2, '0')

/** The last day of each of so many months or quarters before the data's end, newest first; not yet trading days. */
export function periodEnds(end: string, count: number, months: 1 | 3, start: string): string[] {
  const [year = 0, month = 0] = end.split('-').map(Number)
  const ends: string[] = []
  // The period that is not over is left out; of a quarter the last month counts.
  for (let back = 1; ends.length < count && back < 400; back++) {
    const at = year * 12 + (month - 1) - back
    const [y, m] = [Math.floor(at / 12), (at % 12) + 1]
    if (months === 3 && m % 3 !== 0) continue
    const day = new Date(Date.UTC(y, m, 0)).getUTCDate()
    const date = `${y}-${pad(m)}-${pad(day)}`
    if (date < start) break
    ends.push(date)
  }
  return ends
}
