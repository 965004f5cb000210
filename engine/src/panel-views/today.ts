/**
 * The day that is not over, as one more day of a panel: its row is laid into the room behind the last day of the columns, nothing is
 * copied. Prices come from quotes; what follows from prices is computed by the market's own formulas; the rest is what it was the day
 * before. A screen of such a day is the screen that the same numbers would give as a day of the data.
 */
import { isRate } from '../bond/rating-yields.ts'
import { compile, compileRef, type Expression, evaluateAll, namesOf } from '../expression/index.ts'
import type { Market, Quoted, QuoteNumber } from '../market/market.ts'
import { lastDayOn } from '../panel/last-day.ts'
import { carryThrough, equalWeightChange, fillUntraded, type Panel, type Security } from '../panel/panel.ts'

/** Newest prices of one day: bonds and stocks by code (`113050.SH`), indices by theirs (`000300`). NaN = absent. */
export interface Quotes {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly codes: readonly string[]
  /** By number, a value for each code. */
  readonly columns: ReadonlyMap<QuoteNumber, Float64Array>
}

/**
 * Stored fields that must be loaded so that today's row of some others can be laid: themselves, and what they follow from.
 * `available`: what the data have.
 */
export function todayReads(market: Market, available: ReadonlySet<string>, keys: Iterable<string>): Set<string> {
  const reads = new Set(['close', 'pre_close', 'vol', 'amount'].filter((key) => available.has(key)))
  for (const key of keys) reads.add(key)
  for (const { expression } of followers(market, available, reads)) for (const key of expression.needs.fields) reads.add(key)
  return reads
}

/**
 * The panel with its day behind the last, which `layToday` has laid or will. Its columns, masks and series must have room for it. `nextDay`: the
 * trading day after it, as `Panel.nextDay`.
 */
export function withToday(panel: Panel, date: string, nextDay: string | null = null): Panel {
  return {
    ...panel,
    dates: [...panel.dates, date],
    nextDay,
    ...(panel.later && { later: panel.later.filter((day) => day > date) }),
    // Of its own: what is derived from columns is kept by them, and today's is another thing each time it is laid.
    columns: new Map(panel.columns),
    listed: panel.listed.subarray(),
  }
}

/**
 * Writes the row behind the last day of `panel`; no thread may read that row meanwhile. `available`: fields of the data.
 *
 * - `listed`: securities listed the day before and not delisted since, and new ones of today; `traded`: those with a volume or an amount.
 * - The market's own index goes on from the closes, rates stay; other series are what they are quoted at, else absent.
 */
export function layToday(panel: Panel, market: Market, available: ReadonlySet<string>, quotes: Quotes): void {
  const { securities, columns, benchmarks } = panel
  const at = new Map(quotes.codes.map((code, i) => [code, i]))
  const placesOf = (codeOf: (security: Security) => string) => Int32Array.from(securities, (security) => at.get(codeOf(security)) ?? -1)
  const places = { own: placesOf(({ code }) => code), issuer: placesOf(({ issuer }) => issuer) }
  layMasks(panel, quotes, places.own)

  const carried = new Set(market.fields.filter(({ carry }) => carry).map(({ key }) => key))
  for (const [key, column] of columns) {
    const quoted = market.today.quoted[key]
    layColumn(panel, column, quoted ? numbersOf(quotes, quoted, places[quoted.of]) : null)
    if (carried.has(key) && !followsPrices(market, key)) {
      // Until its own data arrive the day keeps the values of the day before, of securities that trade too (data.md 3.2).
      carryThrough(column, panel, panel.dates.length, panel.dates.length + 1)
    }
  }

  const live = withToday(panel, quotes.date)
  const ready = followers(market, available, columns.keys()).filter(({ expression }) =>
    [...expression.needs.fields].every((key) => columns.has(key)),
  )
  const answers = evaluateAll(
    ready.map(({ expression }) => expression),
    live,
    [panel.dates.length],
  )
  ready.forEach(({ key }, k) => {
    layColumn(panel, columns.get(key) as Float64Array, answers[k])
  })

  const day = panel.dates.length
  for (const { key, ofTrades } of market.fields) {
    const column = ofTrades && columns.get(key)
    if (column) fillUntraded(column, panel, day, day + 1)
  }
  for (const [code, series] of benchmarks) {
    // Rates are not quoted: the day before's holds.
    if (isRate(code)) series[day] = series[day - 1]
    else series[day] = code === market.benchmark ? ownIndex(live, market, series, day) : closeOf(quotes, at, code)
  }
}

function layMasks({ dates, stride, securities, listed, traded }: Panel, { date, columns }: Quotes, own: Int32Array): void {
  const row = dates.length * stride
  const isPositive = (key: QuoteNumber, place: number) => place >= 0 && (columns.get(key)?.[place] ?? 0) > 0
  for (let i = 0; i < stride; i++) {
    const trades = isPositive('vol', own[i]) || isPositive('amount', own[i])
    const was = listed[row - stride + i] === 1
    const isThere = i < securities.length && isListed(securities[i], date, was, own[i] >= 0) && (trades || !isPast(securities[i], date))
    listed[row + i] = isThere ? 1 : 0
    traded[row + i] = isThere && trades ? 1 : 0
  }
}

/** True for a security that was listed the day before, or is newly listed and quoted, and whose delisting date has not come. */
function isListed({ listed, delisted }: Security, date: string, was: boolean, isQuoted: boolean): boolean {
  return (was || (isQuoted && listed !== null && listed <= date)) && !(delisted !== null && date >= delisted)
}

/** The last day that is known of it has passed: it has ended, whenever it is delisted, if nobody trades it. */
function isPast(security: Security, date: string): boolean {
  const last = security.lastDay ?? lastDayOn(security, date)
  return last !== null && last < date
}

/** Prices by security. A quoted price of 0 is absent: halted securities are quoted so. */
function numbersOf({ columns }: Quotes, { number, per = 1 }: Quoted, places: Int32Array): Float64Array {
  const column = columns.get(number)
  const isPrice = number !== 'vol' && number !== 'amount'
  return Float64Array.from(places, (place) => {
    const value = place < 0 ? Number.NaN : (column?.[place] ?? Number.NaN)
    return isPrice && !(value > 0) ? Number.NaN : value / per
  })
}

/** Writes the values of listed securities, NaN for the others; null = all are absent. */
function layColumn({ dates, stride, securities, listed }: Panel, column: Float64Array, values: Float64Array | null): void {
  const row = dates.length * stride
  column.fill(Number.NaN, row, row + stride)
  if (values) for (let i = 0; i < securities.length; i++) if (listed[row + i] === 1) column[row + i] = values[i]
}

interface Follower {
  readonly key: string
  readonly expression: Expression
}

/** Stored fields that are computed from others today, with their expressions. */
function followers(market: Market, available: ReadonlySet<string>, keys: Iterable<string>): Follower[] {
  const { follows } = market.today
  const wanted = [...keys].filter((key) => available.has(key) && followsPrices(market, key))
  // The formula of a built-in factor stands behind a column that the data have: without the column the name is the formula.
  const names = namesOf(market, new Set([...available].filter((key) => follows[key] !== undefined || !followsPrices(market, key))))
  return wanted.flatMap((key): Follower[] => {
    const compiled = follows[key] !== undefined ? compile(follows[key], names) : compileRef(key, names)
    return compiled.ok ? [{ key, expression: compiled.expression }] : []
  })
}

/** Said by the market, or a built-in factor that moves during the day. Where the data lack what it is computed from it is absent, not old. */
function followsPrices({ today, factors }: Market, key: string): boolean {
  if (today.quoted[key]) return false
  return today.follows[key] !== undefined || factors.some((factor) => factor.key === key && factor.realtime)
}

/** The index goes on from adjusted closes: a security that goes ex today is measured from the exchange's previous close. */
function ownIndex({ columns, traded, listed, stride }: Panel, { roles }: Market, series: Float64Array, day: number): number {
  const close = columns.get('close')
  if (!close || day === 0) return Number.NaN
  const from = (day - 1) * stride
  const prices = close.slice(from, from + 2 * stride)
  const previous = roles.adjustment === null ? undefined : columns.get('pre_close')
  if (previous) for (let i = 0; i < stride; i++) if (previous[from + stride + i] > 0) prices[i] = previous[from + stride + i]
  return series[day - 1] * (1 + equalWeightChange(prices, traded.subarray(from), listed.subarray(from), 1, stride))
}

function closeOf({ columns }: Quotes, at: ReadonlyMap<string, number>, code: string): number {
  const place = at.get(code)
  return place === undefined ? Number.NaN : (columns.get('close')?.[place] ?? Number.NaN)
}
