/**
 * How many days of the clauses are already counted, day by day (domain.md 2.4):
 *
 * 1. a window is the last days on which the share traded; the share's raw close is compared with the trigger price of its day, as decimals
 * 2. calls count only days on which the bond may be converted, puts only days of the put period
 * 3. a promise not to call or not to revise, presumed or stated, sets the count to nothing; it begins again after it
 * 4. a revision in force sets the counts of revisions and puts to nothing; that of calls goes on at the new price
 * 5. what is published counts from the next trading day
 *
 * Columns for whole panels, row by row with a little state per security; bare loops.
 */
import { dayNumber, firstFrom, monthsLater } from '../base/calendar.ts'
import { type Announcement, type AnnouncementKind, type Clause, endOfPromise, lapseDays, supersedes } from '../panel/bond-terms.ts'
import { absentColumn, type Panel, type Security } from '../panel/panel.ts'

/** What counting reads of a market; prices carried over days without a trade. */
export type Counted = Pick<Panel, 'dates' | 'securities' | 'stride' | 'listed' | 'traded' | 'columns' | 'callLists'>

/**
 * From this day on (guidelines of both exchanges of 2022-07-29) an issuer that meets the call clause and publishes no call by the next trading
 * day has declined for three months.
 */
export const presumedSince = '2022-08-01'
const presumedMonths = 3
/** Trading days for which a bond stands as met before it is presumed, on days that no list of announcements covers. */
const unlistedDays = 30

/** Days counted of the call clause, and what is presumed of its issuer. */
export interface RedeemCounts {
  readonly counts: Float64Array
  /** By day and security, of `silence`. */
  readonly silent: Uint8Array
}

/** An issuer that met the clause and has published nothing: it still may (the bond stands as met, whatever the count is by now), or is presumed not to call. */
export const silence = { waiting: 1, presumed: 2 } as const

/** 强赎已满足天数: days of the window at or above the trigger price. Null where the data have no such clause or prices. */
export function redeemCounts(panel: Counted): RedeemCounts | null {
  const silent = new Uint8Array(panel.dates.length * panel.stride)
  const counts = count(panel, {
    clause: ({ terms }) => terms?.redeem ?? null,
    from: ({ terms }) => terms?.conversionStart ?? null,
    restart: (announcement) => (announcement.kind === 'no_redeem' ? dayNumber(endOfPromise(announcement).until) + 1 : null),
    isAbove: true,
    consecutive: false,
    silent,
  })
  return counts && { counts, silent }
}

/** 下修已满足天数: days of the window below the trigger price. */
export function resetCount(panel: Counted): Float64Array | null {
  return count(panel, {
    clause: ({ terms }) => terms?.reset ?? null,
    from: () => null,
    restart: (announcement) =>
      announcement.kind === 'no_reset'
        ? dayNumber(endOfPromise(announcement).until) + 1
        : announcement.kind === 'reset'
          ? dayNumber(announcement.effective ?? '1970-01-01')
          : null,
    isAbove: false,
    consecutive: false,
    silent: null,
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
    silent: null,
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
  /** Filled with what is presumed of the issuer (`RedeemCounts`); null where nothing is presumed. */
  readonly silent: Uint8Array | null
}

interface Restart {
  readonly row: number
  readonly security: number
  readonly from: number
}

function count(panel: Counted, rule: Rule): Float64Array | null {
  const { dates, securities, stride, listed, columns } = panel
  const { isAbove, consecutive, silent } = rule
  const stock = columns.get('close_stk')
  const price = columns.get('conv_price')
  if (!stock || !price) return null
  const clauses = securities.map(rule.clause)
  const longest = clauses.reduce((most, clause) => Math.max(most, clause?.window ?? 0), 0)
  if (longest === 0) return null
  const days = Float64Array.from(dates, dayNumber)
  const size = securities.length
  const needs = Int32Array.from(clauses, (clause) => clause?.days ?? 0)
  const from = Float64Array.from(securities, (security) => dayNumber(rule.from(security) ?? '1970-01-01'))
  const flags = new Uint8Array(size * longest)
  const counts = new Int32Array(size)
  const known = Uint8Array.from(securities, ({ listed: day }, i) =>
    Number((day !== null && day >= dates[0]) || listed[i] === 0 || from[i] >= days[0]),
  )
  const restarts = restartsOf(securities, dates, days, rule)
  // Without what is presumed, which ends with the first thing that is stated.
  const stated = Float64Array.from(from)
  const restart = (i: number, day: number) => {
    flags.fill(0, i * longest, (i + 1) * longest)
    counts[i] = 0
    from[i] = Math.max(stated[i], day)
    known[i] = 1
  }
  const presuming = silent && new Presuming(panel, silent, needs, restart)
  const column = absentColumn(panel)
  const counting: Counting = {
    ...{ stride, size, listed, stock, price, isAbove, consecutive, days, longest, column, from, flags, counts, known },
    isHalted: haltedShares(panel),
    windows: Int32Array.from(clauses, (clause) => clause?.window ?? 0),
    triggers: Float64Array.from(clauses, (clause) => Math.round((clause?.trigger ?? Number.NaN) * triggerUnits)),
    seen: new Int32Array(size),
    lastPrice: new Float64Array(size).fill(Number.NaN),
    trigger: new Float64Array(size).fill(Number.NaN),
  }
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    for (; next < restarts.length && restarts[next].row <= t; next++) {
      const { security, from: day } = restarts[next]
      stated[security] = Math.max(stated[security], day)
      restart(security, day)
      presuming?.promised(security)
    }
    presuming?.readNotices(t)
    presuming?.begin(t)
    countDay(counting, t)
    presuming?.look(t, column)
  }
  return column
}

/** What is counted so far, by security, and the columns that it is counted of. */
interface Counting {
  readonly stride: number
  readonly size: number
  readonly listed: Uint8Array
  readonly stock: Float64Array
  readonly price: Float64Array
  readonly isHalted: (at: number) => boolean
  readonly isAbove: boolean
  readonly consecutive: boolean
  /** By row, the day's number. */
  readonly days: Float64Array
  /** Of the windows, and the length of each in `flags`. */
  readonly longest: number
  /** The counts by cell. */
  readonly column: Float64Array
  /** 0: there is no clause. */
  readonly windows: Int32Array
  readonly triggers: Float64Array
  readonly from: Float64Array
  readonly flags: Uint8Array
  readonly counts: Int32Array
  /** Days of the share's trading that were looked at since the listing. */
  readonly seen: Int32Array
  /** Until a whole window was seen, one that reaches over the panel's first day is not known. */
  readonly known: Uint8Array
  /** The trigger price moves with the conversion price, which seldom moves. */
  readonly lastPrice: Float64Array
  readonly trigger: Float64Array
}

/**
 * The next day of all securities. A function of its own: V8 compiles what is called day after day once, while code for a loop within a loop is left
 * at the end of each day.
 */
function countDay(counting: Counting, t: number): void {
  const { stride, size, listed, stock, price, isHalted, isAbove, consecutive, longest, column } = counting
  const { windows, triggers, from, flags, counts, seen, known, lastPrice, trigger } = counting
  const today = counting.days[t]
  const row = t * stride
  for (let i = 0; i < size; i++) {
    const window = windows[i]
    const at = row + i
    if (window === 0 || listed[at] === 0) continue
    const p = price[at]
    const s = stock[at]
    if (p !== lastPrice[i]) {
      lastPrice[i] = p
      // The product of two decimals in whole units of their last digits, so that 9.54 × 1.3 is 12.402.
      trigger[i] = Math.round(p * priceUnits) * triggers[i]
    }
    const isThere = s === s && p === p
    if (!isHalted(at)) {
      const flag = isThere && today >= from[i] && Math.round(s * priceUnits * triggerUnits) >= trigger[i] === isAbove ? 1 : 0
      if (consecutive) counts[i] = flag === 1 ? counts[i] + 1 : 0
      else {
        const slot = i * longest + (seen[i] % window)
        counts[i] += flag - flags[slot]
        flags[slot] = flag
      }
      seen[i]++
      if (seen[i] >= window) known[i] = 1
    }
    if (isThere && known[i] === 1) column[at] = counts[i]
  }
}

/** Prices have four decimals at most, per cents two: products of both are whole numbers far below 2⁵³. */
const priceUnits = 1e6
const triggerUnits = 1e4

/**
 * Whether the share did not trade on the day of a cell: by its volume; where that is not told, the bond did not trade either and the share's close
 * is what it was. A volume of 0 on a day on which the bond was halted may have been filled in (`Field.ofTrades`), so the close decides there too.
 */
function haltedShares({
  stride,
  listed,
  traded,
  columns,
}: Pick<Counted, 'stride' | 'listed' | 'traded' | 'columns'>): (at: number) => boolean {
  const stock = columns.get('close_stk')
  const volumes = columns.get('vol_stk')
  return (at) => {
    const volume = volumes === undefined ? Number.NaN : volumes[at]
    if (volume > 0) return false
    if (traded[at] === 1) return volume === 0
    return stock !== undefined && at >= stride && listed[at - stride] === 1 && stock[at] === stock[at - stride]
  }
}

/** By security, whether its issuer is presumed not to call (domain.md 2.4, rule 5). */
class Presuming {
  readonly #panel: Counted
  readonly #silent: Uint8Array
  readonly #needs: Int32Array
  readonly #restart: (i: number, from: number) => void
  /** The row on which the clause was met and nothing was said yet; −1 = none. */
  readonly #met: Int32Array
  /** Last day of the presumption; 0 = none. */
  readonly #until: Float64Array
  /** 1 from a call on. */
  readonly #called: Uint8Array
  readonly #days: Float64Array
  /** The newest notice that stands, and the last day of a hint that does; 0 = none does. */
  readonly #standing: (AnnouncementKind | undefined)[]
  readonly #hinted: Float64Array
  readonly #news: readonly { readonly row: number; readonly security: number; readonly announcement: Announcement }[]
  /** The first row on which anything is presumed. */
  readonly #since: number
  #next = 0

  constructor(panel: Counted, silent: Uint8Array, needs: Int32Array, restart: (i: number, from: number) => void) {
    const { dates, securities } = panel
    this.#panel = panel
    this.#silent = silent
    this.#needs = needs
    this.#restart = restart
    this.#met = new Int32Array(securities.length).fill(-1)
    this.#until = new Float64Array(securities.length)
    this.#called = new Uint8Array(securities.length)
    this.#days = Float64Array.from(dates, dayNumber)
    this.#since = firstFrom(dates, presumedSince)
    this.#standing = new Array(securities.length)
    this.#hinted = new Float64Array(securities.length)
    this.#news = securities
      .flatMap(({ announcements = [] }, security) =>
        announcements.flatMap((announcement) =>
          ofCalls.includes(announcement.kind) ? [{ row: firstKnownRow(dates, announcement.date), security, announcement }] : [],
        ),
      )
      .sort((a, b) => a.row - b.row)
  }

  /** A stated promise wins. */
  promised(i: number): void {
    this.#met[i] = -1
    this.#until[i] = 0
  }

  /** So does a call. A hint that stands holds the presumption back: its issuer is not silent. */
  readNotices(t: number): void {
    for (; this.#next < this.#news.length && this.#news[this.#next].row <= t; this.#next++) {
      const { security, announcement } = this.#news[this.#next]
      const { kind, date } = announcement
      if (!supersedes(kind, this.#standing[security])) continue
      this.#standing[security] = kind
      this.#hinted[security] = kind === 'redeem_hint' ? dayNumber(date) + lapseDays : 0
      if (!isCall(kind)) continue
      this.promised(security)
      this.#called[security] = 1
    }
  }

  /** Before the day is counted. */
  begin(t: number): void {
    if (t < this.#since) return
    const { listed, stride } = this.#panel
    const [met, until, called, hinted, silent] = [this.#met, this.#until, this.#called, this.#hinted, this.#silent]
    const today = this.#days[t]
    for (let i = 0; i < met.length; i++) {
      const at = t * stride + i
      if (listed[at] === 0) continue
      const isOpen = met[i] >= 0 && called[i] === 0 && !(hinted[i] >= today)
      if (isOpen && t >= met[i] + (this.#isListedFrom(met[i]) ? 2 : unlistedDays)) this.#presume(i)
      if (until[i] >= today) silent[at] = silence.presumed
    }
  }

  #presume(i: number): void {
    const until = dayNumber(monthsLater(this.#panel.dates[this.#met[i]], presumedMonths))
    this.#met[i] = -1
    this.#until[i] = until
    this.#restart(i, until + 1)
  }

  /** After the day was counted. */
  look(t: number, counts: Float64Array): void {
    if (t < this.#since) return
    const [met, called, needs, silent] = [this.#met, this.#called, this.#needs, this.#silent]
    const row = t * this.#panel.stride
    for (let i = 0; i < met.length; i++) {
      const counted = counts[row + i]
      if (counted !== counted) continue
      if (met[i] < 0 && called[i] === 0 && counted >= needs[i]) met[i] = t
      if (met[i] >= 0) silent[row + i] = silence.waiting
    }
  }

  /** Whether a list of announcements covers a day and the trading day after it. */
  #isListedFrom(row: number): boolean {
    const { dates, callLists = [] } = this.#panel
    const covers = (day: string | undefined) => day !== undefined && callLists.some(([from, until]) => from <= day && day <= until)
    return covers(dates[row]) && covers(dates[row + 1])
  }
}

const ofCalls: readonly AnnouncementKind[] = ['redeem_hint', 'redeem', 'redeem_execution', 'maturity', 'no_redeem']
const isCall = (kind: Announcement['kind']): boolean => kind === 'redeem' || kind === 'redeem_execution'

/** The first row that knows of what was published on a day. */
function firstKnownRow(dates: readonly string[], date: string): number {
  const row = firstFrom(dates, date)
  return dates[row] === date ? row + 1 : row
}

/** By the row from which they count. */
function restartsOf(securities: readonly Security[], dates: readonly string[], days: Float64Array, rule: Rule): Restart[] {
  return securities
    .flatMap(({ announcements = [] }, security) =>
      announcements.flatMap((announcement): Restart[] => {
        const from = rule.restart(announcement)
        if (from === null) return []
        let row = firstKnownRow(dates, announcement.date)
        // A revision counts from the day on which it is in force.
        if (announcement.kind === 'reset') while (row < days.length && days[row] < from) row++
        return [{ row, security, from }]
      }),
    )
    .sort((a, b) => a.row - b.row || a.security - b.security)
}
