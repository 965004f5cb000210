/** The days that tables of a market may speak of (data.md 3.1). */
import { builtInYear, lastYear } from '../calendar.ts'

/** First day of the exchanges' first year. */
export const firstDay = '1990-01-01'
/** The last day of the trading calendar. */
export const lastDay = (): string => `${Math.max(lastYear(), builtInYear)}-12-31`

export const isOnCalendar = (day: string): boolean => day >= firstDay && day <= lastDay()
