/**
 * Days as files write them. A writing with a time of day belongs to the day that it writes; an instant (an offset, `Z`, milliseconds or
 * seconds since 1970) to its day in Asia/Shanghai. `1/2/2024` is unreadable: January in one country, February in another.
 */
import { addDays } from '../../calendar.ts'
import { plainText } from './text.ts'

/** `serial`: read as a spreadsheet's count of days, which is worth a warning. */
export interface DayRead {
  readonly date: string
  readonly serial: boolean
}

/**
 * The day of a cell; null: unreadable.
 * @param isDays the column has a date type, and its numbers count days since 1970
 */
export function readDay(cell: string | number, isDays = false): DayRead | null {
  if (typeof cell === 'number') return isDays ? of(dayOfCount(cell)) : dayOfNumber(cell)
  const text = plainText(cell)
  if (/^\d+(\.\d+)?$/.test(text)) return dayOfNumber(Number(text))
  for (const pattern of writings) {
    const found = pattern.exec(text)
    if (found) return of(dayOfParts(found))
  }
  return null
}

/** As `readDay`, for callers that do not tell how it was written. */
export const dayOf = (cell: string | number, isDays = false): string | null => readDay(cell, isDays)?.date ?? null

const time = String.raw`(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2}(?::?43)?)?)?`
const writings: readonly RegExp[] = [
  new RegExp(String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})${time}$`, 'i'),
  new RegExp(String.raw`^(\d{4})/(\d{1,2})/(\d{1,2})${time}$`, 'i'),
  new RegExp(String.raw`^(\d{4})\.(\d{1,2})\.(\d{1,2})${time}$`, 'i'),
  new RegExp(String.raw`^(\d{4})(\d{2})(\d{2})${time}$`, 'i'),
  new RegExp(String.raw`^(\d{4})年(\d{1,2})月(\d{1,2})日${time.replace('[T ]', '[T ]?')}$`, 'i'),
]

const dayMs = 86_400_000
const hourMs = 3_600_000

/** From when to when China had summer time since the exchanges opened, UTC (tz database, Asia/Shanghai). */
const summer = { from: Date.UTC(1991, 3, 13, 18), to: Date.UTC(1991, 8, 14, 17) }

/** The day in Shanghai of an instant in milliseconds since 1970, as a count of days since 1970. */
export const shanghaiDayOf = (ms: number): number => Math.floor((ms + (ms >= summer.from && ms < summer.to ? 9 : 8) * hourMs) / dayMs)

/** 1990 to 2036 in a spreadsheet's count of days, whose day 25,569 is the first of 1970. */
const serials = { first: 32_874, last: 50_000, of1970: 25_569 }

function dayOfNumber(value: number): DayRead | null {
  if (value >= serials.first && value < serials.last + 1) {
    const date = dayOfCount(Math.floor(value) - serials.of1970)
    return date === null ? null : { date, serial: true }
  }
  if (!Number.isInteger(value)) return null
  const digits = String(value).length
  if (digits === 8) return of(realDay(Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100))
  if (digits === 13) return of(dayOfInstant(value))
  return digits === 10 ? of(dayOfInstant(value * 1_000)) : null
}

const of = (date: string | null): DayRead | null => (date === null ? null : { date, serial: false })

/** Days since 1970; spreadsheets and data frames write years beyond four digits only by mistake. */
const dayOfCount = (days: number): string | null => (Math.abs(days) < 100_000 ? addDays('1970-01-01', Math.floor(days)) : null)
const dayOfInstant = (ms: number): string | null => dayOfCount(shanghaiDayOf(ms))

/** Shanghai's before 1901, which Python writes where `pytz` is given to a datetime as its zone: the clock is that of today. */
const localMeanTime = /^\+08:?0[56](:?43)?$/

function dayOfParts([, year, month, day, hours, minutes, seconds = '0', zone]: RegExpExecArray): string | null {
  const date = realDay(Number(year), Number(month), Number(day))
  if (date === null || hours === undefined) return date
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 60) return null
  if (zone === undefined || localMeanTime.test(zone)) return date
  const [, sign, more, rest] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? ['', '+', '0', '0']
  const offset = (Number(more) * 60 + Number(rest)) * 60_000 * (sign === '-' ? -1 : 1)
  const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  return dayOfInstant(Date.parse(`${date}T00:00:00Z`) + clock - offset)
}

/** YYYY-MM-DD; null where the month has no such day. */
function realDay(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
