import { dayAfter, shanghai, weekdayName, weekdayOf } from '../base/dates.ts'

/** What the exchanges do at a moment of Asia/Shanghai. */
export interface MarketClock {
  phase: '盘前' | '集合竞价' | '交易中' | '午间休市' | '已收盘' | '休市'
  /** The closed days of this year are not known yet, and this day is no weekend: that it trades is 推定. */
  expected: boolean
  /** Why there is no trade on a closed day: 周末, 元旦 … */
  reason: string | null
  /** Prices may change now; never on a day that is only expected to trade, of which no source is asked. */
  open: boolean
  /** `14:32` */
  time: string
  /** `2026-11-20` */
  date: string
  /** `11-20 周五` */
  day: string
  year: number
}

/** A year's closed dates and whether they are 推定; null until they are here. */
interface ClosedDates {
  readonly dates: ReadonlySet<string>
  readonly expected: boolean
}
export type ClosedDays = ClosedDates | null

/** Minutes of the day from which a phase holds (SSE and SZSE, since 2006). */
const phases: readonly [from: number, phase: MarketClock['phase']][] = [
  [15 * 60, '已收盘'],
  [13 * 60, '交易中'],
  [11 * 60 + 30, '午间休市'],
  [9 * 60 + 30, '交易中'],
  [9 * 60 + 15, '集合竞价'],
  [0, '盘前'],
]

/** Until the closed days are here only weekends and New Year are known. */
export function marketClock(now: number, closed: ClosedDays): MarketClock {
  const { date, time, minute, year } = shanghai(now)
  const shut = isClosed(date, closed)
  const phase = shut ? '休市' : (phases.find(([from]) => minute >= from)?.[1] ?? '盘前')
  const expected = !shut && closed?.expected === true
  return {
    phase,
    expected,
    reason: shut ? reasonOf(date, closed) : null,
    open: !expected && (phase === '交易中' || phase === '集合竞价'),
    time,
    date,
    day: `${date.slice(5)} ${weekdayName(date)}`,
    year,
  }
}

/** When prices may change, in minutes of the day: opening auction, morning, afternoon to the closing auction (SSE and SZSE). */
const moving = [
  [9 * 60 + 15, 9 * 60 + 25],
  [9 * 60 + 30, 11 * 60 + 30],
  [13 * 60, 14 * 60 + 57],
] as const
const minuteMs = 60_000

/**
 * How long prices could have changed between two moments, in ms: breaks, nights and closed days do not count, of the days in between
 * only the first and the last do.
 */
export function marketTime(from: number, to: number, closed: ClosedDays): number {
  const [first, last] = [shanghai(from).date, shanghai(to).date]
  const moved = (date: string) => {
    if (closed?.expected || isClosed(date, closed)) return 0
    const midnight = Date.parse(`${date}T00:00:00+08:00`)
    const parts = moving.map(([start, end]) => Math.min(to, midnight + end * minuteMs) - Math.max(from, midnight + start * minuteMs))
    return parts.reduce((sum, part) => sum + Math.max(0, part), 0)
  }
  return moved(first) + (last > first ? moved(last) : 0)
}

/** Days of trade after a day up to another; of a year whose closed days are not known here every weekday is one. */
export function tradingDaysAfter(from: string, to: string, closed: ClosedDays): number {
  let count = 0
  for (let day = dayAfter(from); day <= to; day = dayAfter(day)) if (!isClosed(day, closed)) count++
  return count
}

const isWeekend = (date: string) => weekdayOf(date) % 6 === 0
/** The exchanges are shut on every weekend, also where offices work to make up for a holiday, and on 1 January of any year. */
const isClosed = (date: string, closed: ClosedDays) => isWeekend(date) || date.endsWith('-01-01') || closed?.dates.has(date) === true

/** The closed days around a closed day have one reason: the holidays among them, or that it is a weekend. */
function reasonOf(date: string, closed: ClosedDays): string | null {
  const block = [date]
  for (let day = dayAfter(date, -1); isClosed(day, closed); day = dayAfter(day, -1)) block.unshift(day)
  for (let day = dayAfter(date); isClosed(day, closed); day = dayAfter(day)) block.push(day)
  const names = block.map(holidayOf).filter((name) => name !== null)
  if (names.length > 0) return [...new Set(names)].join('、')
  return block.every(isWeekend) ? '周末' : null
}

/** Month-day → holiday, by the calendar of the sun and by that of the moon. */
const bySun: Record<string, string> = { '01-01': '元旦', '05-01': '劳动节', '10-01': '国庆节' }
const byMoon: Record<string, string> = { '1-1': '春节', '5-5': '端午节', '8-15': '中秋节' }
const moon = new Intl.DateTimeFormat('en-u-ca-chinese', { timeZone: 'UTC', month: 'numeric', day: 'numeric' })

function holidayOf(date: string): string | null {
  const lunar = moon.formatToParts(Date.parse(`${date}T00:00:00Z`))
  const part = (type: 'month' | 'day') => lunar.find((piece) => piece.type === type)?.value
  return (
    bySun[date.slice(5)] ??
    byMoon[`${part('month')}-${part('day')}`] ??
    (date === clearBrightness(Number(date.slice(0, 4))) ? '清明节' : null)
  )
}

/** 清明 of a year of this century: the sun at 15°, 4 or 5 April. */
const clearBrightness = (year: number) => `${year}-04-0${Math.floor((year % 100) * 0.2422 + 4.81) - Math.floor((year % 100) / 4)}`
