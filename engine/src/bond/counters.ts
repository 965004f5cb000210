/**
 * How many days of the clauses are already counted, day by day (domain.md 2.4):
 *
 * 1. a day counts when the stock's raw close is at or above (below, for revisions and puts) the trigger price of that day
 * 2. calls count only days on which the bond may be converted, puts only days of the put period
 * 3. a promise not to call or not to revise, and a revision itself, set the count to nothing; it begins again after them
 * 4. what is published counts from the next trading day
 *
 * Columns for whole panels, row by row with a little state per security; bare loops.
 */
import { roundHalfUp } from '../market/rules.ts'
import { dayNumber, firstFrom } from '../panel/calendar.ts'
import { absentColumn, type Panel, type Security } from '../panel/panel.ts'
import type { Announcement, Clause } from './terms.ts'

/** What counting reads of a market; prices carried over days without a trade. */
export type Counted = Pick<Panel, 'dates' | 'securities' | 'stride' | 'listed' | 'columns'>

/** The stock's price that a clause waits for. */
const triggerPrice = (conversionPrice: number, trigger: number): number => roundHalfUp(conversionPrice * trigger, 2)

/** 强赎已满足天数: days of the window at or above the trigger price. Null where the data have no such clause or prices. */
export function redeemCount(panel: Counted): Float64Array | null {
  return count(panel, {
    clause: ({ terms }) => terms?.redeem ?? null,
    from: ({ terms }) => terms?.conversionStart ?? null,
    restart: ({ kind, until }) => (kind === 'no_redeem' ? afterPromise(until) : null),
    isAbove: true,
    consecutive: false,
  })
}

/** 下修已满足天数: days of the window below the trigger price. */
export function resetCount(panel: Counted): Float64Array | null {
  return count(panel, {
    clause: ({ terms }) => terms?.reset ?? null,
    from: () => null,
    restart: ({ kind, until, effective }) =>
      kind === 'no_reset' ? afterPromise(until) : kind === 'reset' ? dayNumber(effective ?? '1970-01-01') : null,
    isAbove: false,
    consecutive: false,
  })
}

/** 回售已满足天数: days in a row below the trigger price, in the put period. */
export function putCount(panel: Counted): Float64Array | null {
  return count(panel, {
    clause: ({ terms }) => terms?.put ?? null,
    from: ({ terms }) => terms?.put?.from ?? null,
    restart: ({ kind, effective }) => (kind === 'reset' ? dayNumber(effective ?? '1970-01-01') : null),
    isAbove: false,
    consecutive: true,
  })
}

interface Rule {
  readonly clause: (security: Security) => Clause | null
  /** First day that may count; null = from the beginning. */
  readonly from: (security: Security) => string | null
  /** The first day that counts again after an announcement; null = it does not matter. */
  readonly restart: (announcement: Announcement) => number | null
  /** Days at or above the trigger price count; else days below it. */
  readonly isAbove: boolean
  /** Days in a row instead of days of the window. */
  readonly consecutive: boolean
}

/** A refusal without a date lets the count begin again at once. */
const afterPromise = (until: string | undefined): number => (until === undefined ? 0 : dayNumber(until) + 1)

interface Restart {
  readonly row: number
  readonly security: number
  readonly from: number
}

function count({ dates, securities, stride, listed, columns }: Counted, rule: Rule): Float64Array | null {
  const { isAbove, consecutive } = rule
  const stock = columns.get('close_stk')
  const price = columns.get('conv_price')
  if (!stock || !price) return null
  const clauses = securities.map(rule.clause)
  const longest = clauses.reduce((most, clause) => Math.max(most, clause?.window ?? 0), 0)
  if (longest === 0) return null
  const column = absentColumn({ dates, stride })
  const days = Float64Array.from(dates, dayNumber)
  const size = securities.length
  const triggers = Float64Array.from(clauses, (clause) => clause?.trigger ?? Number.NaN)
  const windows = Int32Array.from(clauses, (clause) => clause?.window ?? 0)
  const from = Float64Array.from(securities, (security) => dayNumber(rule.from(security) ?? '1970-01-01'))
  const flags = new Uint8Array(size * longest)
  const counts = new Int32Array(size)
  // Before this row the window reaches over the panel's first day, so the count is not known.
  const known = Int32Array.from(securities, ({ listed: day }, i) => {
    const seen = (day !== null && day >= dates[0]) || listed[i] === 0 || from[i] >= days[0]
    return seen ? 0 : windows[i] - 1
  })
  // The trigger price moves with the conversion price, which seldom moves.
  const lastPrice = new Float64Array(size).fill(Number.NaN)
  const trigger = new Float64Array(size).fill(Number.NaN)
  const restarts = restartsOf(securities, dates, days, rule)
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    for (; next < restarts.length && restarts[next].row <= t; next++) {
      const { security: i, from: day } = restarts[next]
      flags.fill(0, i * longest, (i + 1) * longest)
      counts[i] = 0
      from[i] = Math.max(from[i], day)
      known[i] = Math.min(known[i], t)
    }
    const row = t * stride
    const today = days[t]
    for (let i = 0; i < size; i++) {
      const window = windows[i]
      const at = row + i
      if (window === 0 || listed[at] === 0) continue
      const p = price[at]
      const s = stock[at]
      if (p !== lastPrice[i]) {
        lastPrice[i] = p
        trigger[i] = triggerPrice(p, triggers[i])
      }
      const isThere = s === s && p === p
      const flag = isThere && today >= from[i] && s >= trigger[i] === isAbove ? 1 : 0
      if (consecutive) counts[i] = flag === 1 ? counts[i] + 1 : 0
      else {
        const slot = i * longest + (t % window)
        counts[i] += flag - flags[slot]
        flags[slot] = flag
      }
      if (isThere && t >= known[i]) column[at] = counts[i]
    }
  }
  return column
}

/** By the row from which they count. */
function restartsOf(securities: readonly Security[], dates: readonly string[], days: Float64Array, rule: Rule): Restart[] {
  return securities
    .flatMap(({ announcements = [] }, security) =>
      announcements.flatMap((announcement): Restart[] => {
        const from = rule.restart(announcement)
        if (from === null) return []
        let row = firstFrom(dates, announcement.date)
        if (dates[row] === announcement.date) row++
        // A revision counts from the day on which it is in force.
        if (announcement.kind === 'reset') while (row < days.length && days[row] < from) row++
        return [{ row, security, from }]
      }),
    )
    .sort((a, b) => a.row - b.row || a.security - b.security)
}
