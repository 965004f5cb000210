/**
 * The day that is not over, as one more day of a panel: its row is laid into the room behind the last day of the columns, nothing is
 * copied. Prices come from quotes; what follows from prices is computed by the market's own formulas; the rest is what it was the day
 * before. A screen of such a day is the screen that the same numbers would give as a day of the data.
 */
import { compile, compileRef, type Expression, evaluateAll, namesOf } from '../expression/index.ts'
import type { Market, QuoteNumber } from '../market/market.ts'
import { carryForward, equalWeight, type Panel, type Security } from './panel.ts'

/** Newest prices of one day: bonds, stocks and indices by code (`113050.SH`, `000300.SH`). NaN = absent. */
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

/** The panel with its day behind the last, which `layToday` has laid or will. Its columns, masks and series must have room for it. */
export function withToday(panel: Panel, date: string): Panel {
  return {
    ...panel,
    dates: [...panel.dates, date],
    // Of its own: what is derived from columns is kept by them, and today's is another thing each time it is laid.
    columns: new Map(panel.columns),
    listed: panel.listed.subarray(),
  }
}

/**
 * Lays the row behind the last day of `panel`. Whoever reads that row must not read it meanwhile.
 *
 * - Listed is who was the day before and has not been delisted, and who is listed today; traded is who has a volume or an amount.
 * - The market's own index goes on from the closes; other series are quoted by their exchange's code, else absent.
 */
export function layToday(panel: Panel, market: Market, available: ReadonlySet<string>, quotes: Quotes): void {
  const { stride, securities, columns, listed, traded, dates, benchmarks } = panel
  const day = dates.length
  const row = day * stride
  const at = new Map(quotes.codes.map((code, i) => [code, i]))
  const own = placesOf(securities, at, ({ code }) => code)
  const issuer = placesOf(securities, at, (security) => security.issuer)
  const number = (key: QuoteNumber, places: Int32Array, i: number) =>
    places[i] < 0 ? Number.NaN : (quotes.columns.get(key)?.[places[i]] ?? Number.NaN)

  for (let i = 0; i < stride; i++) {
    const security = securities[i]
    listed[row + i] = security !== undefined && isListed(security, quotes.date, listed[row - stride + i] === 1, own[i] >= 0) ? 1 : 0
    traded[row + i] = listed[row + i] === 1 && (number('vol', own, i) > 0 || number('amount', own, i) > 0) ? 1 : 0
  }

  const carried = new Set(market.fields.filter(({ carry }) => carry).map(({ key }) => key))
  const following = followers(market, available, columns.keys())
  const follows = new Set(following.map(({ key }) => key))
  for (const [key, column] of columns) {
    column.fill(Number.NaN, row, row + stride)
    const quoted = market.today.quoted[key]
    if (quoted) {
      const places = quoted.of === 'own' ? own : issuer
      // A price of nothing is none: that is how a halt is quoted.
      for (let i = 0; i < securities.length; i++) {
        const value = number(quoted.number, places, i)
        if (listed[row + i] === 1 && (value > 0 || !isPrice(quoted.number))) column[row + i] = value / (quoted.per ?? 1)
      }
    }
    if (carried.has(key) && !follows.has(key)) carryForward(column, listed, day + 1, stride, day)
  }

  const live = withToday(panel, quotes.date)
  const ready = following.filter(({ expression }) => [...expression.needs.fields].every((key) => columns.has(key)))
  const answers = evaluateAll(
    ready.map(({ expression }) => expression),
    live,
    [day],
  )
  ready.forEach(({ key }, k) => {
    columns.get(key)?.set(answers[k].subarray(0, stride), row)
  })
  for (const { key } of following) {
    const column = columns.get(key)
    if (column && carried.has(key)) carryForward(column, listed, day + 1, stride, day)
  }

  for (const [code, series] of benchmarks)
    series[day] = code === market.benchmark ? ownIndex(live, series, day) : quotedClose(quotes, at, code)
}

interface Follower {
  readonly key: string
  readonly expression: Expression
}

/** Of some stored fields those that follow from others today, and how. */
function followers(market: Market, available: ReadonlySet<string>, keys: Iterable<string>): Follower[] {
  const { quoted, follows } = market.today
  const wanted = [...keys].filter((key) => available.has(key) && !quoted[key])
  const factors = new Set(market.factors.map(({ key }) => key))
  const computed = new Set([...available].filter((key) => factors.has(key) && !quoted[key] && !follows[key]))
  // The formula of a built-in factor stands behind a column that the data have: without it the name is the formula.
  const names = namesOf(market, new Set([...available].filter((key) => !computed.has(key))))
  return wanted.flatMap((key): Follower[] => {
    const compiled = follows[key] !== undefined ? compile(follows[key], names) : computed.has(key) ? compileRef(key, names) : null
    return compiled?.ok ? [{ key, expression: compiled.expression }] : []
  })
}

const prices: ReadonlySet<QuoteNumber> = new Set(['close', 'open', 'high', 'low', 'pre_close'])
const isPrice = (number: QuoteNumber): boolean => prices.has(number)

/** Who was there the day before, or is new and quoted, until the first day after its last. */
function isListed({ listed, delisted }: Security, date: string, was: boolean, isQuoted: boolean): boolean {
  return (was || (isQuoted && listed !== null && listed <= date)) && !(delisted !== null && date >= delisted)
}

function placesOf(securities: Panel['securities'], at: ReadonlyMap<string, number>, codeOf: (security: Security) => string) {
  return Int32Array.from(securities, (security) => at.get(codeOf(security)) ?? -1)
}

function ownIndex({ columns, traded, listed, stride }: Panel, series: Float64Array, day: number): number {
  const close = columns.get('close')
  if (!close || day === 0) return Number.NaN
  const from = (day - 1) * stride
  const part = equalWeight(close.subarray(from), traded.subarray(from), listed.subarray(from), 2, stride)
  return series[day - 1] * (part[1] / part[0])
}

/** Indices of the Shanghai exchange, of the China Securities Index company and of Shenzhen. */
function quotedClose({ columns }: Quotes, at: ReadonlyMap<string, number>, code: string): number {
  const place = (code.startsWith('399') ? [`${code}.SZ`] : [`${code}.SH`, `${code}.CSI`])
    .map((each) => at.get(each))
    .find((each) => each !== undefined)
  return place === undefined ? Number.NaN : (columns.get('close')?.[place] ?? Number.NaN)
}
