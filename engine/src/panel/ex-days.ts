import { firstFrom } from '../base/calendar.ts'
import type { ExDay, Panel } from './panel.ts'

/** What recorded ex-days are held against. Columns are day-major as in a panel; null where the data lack one. */
export interface ExPrices extends Pick<Panel, 'dates' | 'stride' | 'traded'> {
  readonly close: ArrayLike<number>
  /** The exchange's previous close. */
  readonly previous: ArrayLike<number> | null
  /** Cumulative adjustment factor. */
  readonly factor: ArrayLike<number> | null
}

/** The first trade of a share on or after an ex-day. */
export interface ExTrade {
  /** Index of the dates. */
  readonly day: number
  /** Close of its last trade before. */
  readonly before: number
  /** What that close is without what went out: by the exchange and by the factor, as far as they are known. */
  readonly references: readonly number[]
}

/** null where the share does not trade after the ex-day, or has no trade before it: nothing is paid to anybody then. */
export function exTradeOf({ dates, stride, traded, close, previous, factor }: ExPrices, place: number, date: string): ExTrade | null {
  const trades = (day: number) => traded[day * stride + place] === 1
  let day = firstFrom(dates, date)
  while (day < dates.length && !trades(day)) day++
  if (day === dates.length) return null
  let last = firstFrom(dates, date) - 1
  while (last >= 0 && !trades(last)) last--
  if (last < 0) return null
  const [now, then] = [day * stride + place, last * stride + place]
  const before = close[then]
  if (!(before > 0)) return null
  const known = [previous?.[now] ?? Number.NaN, factor ? (before * factor[then]) / factor[now] : Number.NaN]
  return { day, before, references: known.filter((reference) => reference > 0) }
}

/**
 * Whether payments agree with what the price did (domain.md 5.7): (close before − cash) ÷ (1 + ratio), one ex-day after the other, is within
 * a cent, 0.1 % of the price or a twentieth of what goes out of every reference. Treasury shares take no part in a distribution
 * (差异化分红), so what is announced a share is a little more than what the price loses.
 */
export function fitsPayments({ before, references }: ExTrade, payments: readonly Pick<ExDay, 'cash' | 'ratio'>[]): boolean {
  const after = payments.reduce((price, { cash, ratio }) => (price - cash) / (1 + ratio), before)
  const tolerance = Math.max(0.01, 0.001 * before, 0.05 * (before - after)) + hair
  return references.every((reference) => Math.abs(after - reference) <= tolerance)
}

/** Of prices in yuan, far below a cent. */
const hair = 1e-9

/** The first recorded ex-day of a share on days from … to that does not agree with what its price did; null where all do, or nothing tells. */
export function wrongExDay(prices: ExPrices, place: number, exDays: readonly ExDay[], from: string, to: string): ExDay | null {
  let k = exDays.findIndex(({ date }) => date >= from)
  if (k < 0) return null
  const isSuspendedInto = (date: string) => (exTradeOf(prices, place, date)?.day ?? -1) >= firstFrom(prices.dates, from)
  while (k > 0 && isSuspendedInto(exDays[k - 1].date)) k--
  while (k < exDays.length && exDays[k].date <= to) {
    const trade = exTradeOf(prices, place, exDays[k].date)
    // What went ex while the share was suspended comes together.
    let next = k + 1
    while (trade && next < exDays.length && exDays[next].date <= prices.dates[trade.day]) next++
    if (trade && !fitsPayments(trade, exDays.slice(k, next))) return exDays[k]
    k = next
  }
  return null
}
