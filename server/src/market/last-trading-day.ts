/** The last trading day of a bond where no notice states it: by the register day of its call, or by its last conversion day (domain.md 5.7). */
import { addDays, lastYear, tradingDays } from './calendar.ts'

/** Trading days between the last trading day and the register day of a call, and the register days from which it is so. */
const ofCalls = { before: 3, from: { SH: '2022-08-12', SZ: '2022-08-31' } }
/** Trading days between it and the last trading day on which a bond that matures may be converted. */
const ofMaturities = [
  { from: '2022-08-01', before: 3 },
  { from: '0000-01-01', before: 10 },
] as const
/** From so many trading days before it the last day of a bond that matures is public, without any notice. */
export const maturityKnownBefore = 20

/** Null where the rule was not in force yet: then bonds stopped on the register day or long before it. */
export function lastDayOfCall(code: string, registerDay: string): string | null {
  const exchange = code.endsWith('.SH') ? 'SH' : 'SZ'
  return registerDay < ofCalls.from[exchange] ? null : tradingDayBefore(registerDay, ofCalls.before)
}

/** `conversionEnd`: the last day on which it may be converted; the maturity that lists write is mostly the day after. */
export function lastDayOfMaturity(conversionEnd: string): string | null {
  const end = tradingDayBefore(conversionEnd, 0)
  const rule = ofMaturities.find(({ from }) => end !== null && end >= from)
  return end === null || rule === undefined ? null : tradingDayBefore(end, rule.before)
}

/** The trading day so many before the last one on or before a date; null where the calendar does not reach that far. */
export function tradingDayBefore(date: string, count: number): string | null {
  if (Number(date.slice(0, 4)) > lastYear()) return null
  const days = tradingDays(addDays(date, -(20 + 2 * count)), date)
  return days.at(-1 - count) ?? null
}
