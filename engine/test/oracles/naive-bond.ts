/** What a bond pays and how far its clauses are, as their definitions say: one cell at a time, dates as dates, yields by halving. */
import { tables, tenors } from '../../src/bond/rating-yields.ts'
import type { Announcement, BondTerms, Clause } from '../../src/panel/bond-terms.ts'
import type { Panel, Security } from '../../src/panel/panel.ts'

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000

function anniversary(date: string, years: number): string {
  const moved = `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
  // The 29th of a year that has none is written as the 1st of March by Date.
  return new Date(`${moved}T00:00:00Z`).toISOString().slice(0, 10) === moved ? moved : moved.replace('02-29', '02-28')
}

interface Payment {
  readonly years: number
  readonly amount: number
}

/** Payments after a day; null where they are not known. */
function paymentsAfter(terms: BondTerms | undefined, today: string, kind: string): Payment[] | null {
  if (!terms) return null
  const { valueDate, maturityDate, maturityPrice, put } = terms
  const coupons = terms.coupons.map((coupon) => coupon ?? Number.NaN)
  const keep = kind === 'tax' ? 0.8 : 1
  const end = kind === 'put' ? (put?.from ?? null) : maturityDate
  if (end === null || end <= today) return null
  const paid: [string, number][] = []
  if (kind === 'put') {
    if (valueDate === null || !put || coupons.length === 0) return null
    let last = valueDate
    let year = 0
    for (; anniversary(valueDate, year + 1) <= end; year++) {
      if (year >= coupons.length) return null
      last = anniversary(valueDate, year + 1)
      paid.push([last, coupons[year]])
    }
    paid.push([end, 100 + (year < coupons.length ? (coupons[year] * (dayOf(end) - dayOf(last))) / 365 : 0)])
  } else {
    if (maturityPrice === null) return null
    const known = valueDate !== null && coupons.length > 0
    if (!known && dayOf(end) - dayOf(today) > 365) return null
    for (let year = 1; known && dayOf(anniversary(valueDate, year)) < dayOf(end) - 30; year++)
      paid.push([anniversary(valueDate, year), coupons[year - 1] * keep])
    paid.push([end, 100 + (maturityPrice - 100) * keep])
  }
  return paid.filter(([date]) => date > today).map(([date, amount]) => ({ years: (dayOf(date) - dayOf(today)) / 365, amount }))
}

const worthAt = (payments: readonly Payment[], rate: number) =>
  payments.reduce((sum, { years, amount }) => sum + amount * Math.exp(-rate * years), 0)

type OfPayments = (payments: readonly Payment[], x: number) => number

export const bondDefinitions: Record<string, OfPayments> = {
  bond_yield: (payments, price) => {
    if (!(price > 0)) return Number.NaN
    let [low, high] = [-3e5, 3e5]
    for (let step = 0; step < 85; step++) {
      const middle = (low + high) / 2
      if (worthAt(payments, middle) > price) low = middle
      else high = middle
    }
    return Math.expm1((low + high) / 2)
  },
  bond_value: (payments, yearly) => there(yearly, worthAt(payments, Math.log1p(yearly))),
  bond_duration: (payments, yearly) => mean(payments, yearly, (years) => years),
  bond_convexity: (payments, yearly) => mean(payments, yearly, (years) => years * (years + 1)) / (1 + yearly) ** 2,
}

const there = (yearly: number, value: number) => (yearly > -1 && value > 0 ? value : Number.NaN)
const mean = (payments: readonly Payment[], yearly: number, of: (years: number) => number) => {
  const rate = Math.log1p(yearly)
  const weighted = payments.map(({ years, amount }) => ({ years, amount: of(years) * amount }))
  return worthAt(weighted, rate) / there(yearly, worthAt(payments, rate))
}

/** The day's table, between its tenors in a straight line. Ratings are indices. */
export function yieldOf(today: string, rating: number, years: number): number {
  if (Number.isNaN(rating) || Number.isNaN(years)) return Number.NaN
  const { table } = tables.filter(({ from }) => from <= today).at(-1) ?? tables[0]
  const points = tenors.map((tenor, k) => ({ tenor, value: table[rating][k] }))
  const before = points.filter(({ tenor }) => tenor <= years).at(-1)
  const after = points.find(({ tenor }) => tenor >= years)
  if (!before || !after || before === after) return ((before ?? after) as { value: number }).value
  return before.value + ((after.value - before.value) * (years - before.tenor)) / (after.tenor - before.tenor)
}

/** A function of the payments to come and of one number. */
export function ofPayments(name: string, kind: string, security: Security, today: string, x: number): number {
  const payments = paymentsAfter(security.terms, today, kind)
  return payments === null || Number.isNaN(x) ? Number.NaN : bondDefinitions[name](payments, x)
}

const cell = (panel: Panel, key: string, t: number, i: number) => (panel.columns.get(key) as Float64Array)[t * panel.stride + i]
const isListed = (panel: Panel, t: number, i: number) => t >= 0 && panel.listed[t * panel.stride + i] === 1
/** A decimal as a whole number of its 1e-8 parts. */
function whole(value: number): bigint {
  const [before, after = ''] = value.toFixed(8).split('.')
  return BigInt(`${before}${after}`)
}

/** Whether the share did not trade that day. */
function isHalted(panel: Panel, t: number, i: number): boolean {
  const volume = panel.columns.get('vol_stk')?.[t * panel.stride + i] ?? Number.NaN
  if (volume > 0) return false
  if (panel.traded[t * panel.stride + i] === 1) return volume === 0
  return isListed(panel, t - 1, i) && isListed(panel, t, i) && cell(panel, 'close_stk', t, i) === cell(panel, 'close_stk', t - 1, i)
}

/** Days counted of a clause on day t, every one looked at anew. Of calls: unless one is presumed, `from` says from when days count again. */
export function countOf(panel: Panel, which: 'redeem' | 'reset' | 'put', t: number, i: number, again = ''): number {
  const { terms, announcements = [], listed } = panel.securities[i]
  const clause: Clause | null = terms?.[which] ?? null
  if (!clause || !isListed(panel, t, i)) return Number.NaN
  if (Number.isNaN(cell(panel, 'close_stk', t, i)) || Number.isNaN(cell(panel, 'conv_price', t, i))) return Number.NaN
  const dates = panel.dates
  // From which day on days count, as it is known on day t: the last thing that set the count to nothing.
  const begin = which === 'redeem' ? (terms?.conversionStart ?? '') : which === 'put' ? (terms?.put?.from ?? '') : ''
  let from = [begin, again].sort().at(-1) as string
  let restarted = again !== ''
  for (const announcement of announcements) {
    const { kind, date, effective } = announcement
    if (date >= dates[t]) continue
    if (kind === (which === 'redeem' ? 'no_redeem' : 'no_reset') && which !== 'put') {
      // Both: what was counted before is gone, and nothing counts until the promise is over.
      from = [from, dates.find((day) => day > date) ?? '9', nextDay(promisedUntil(announcement))].sort().at(-1) as string
      restarted = true
    }
    if (kind === 'reset' && which !== 'redeem' && effective !== undefined && effective <= dates[t]) {
      from = [from, effective, dates.find((day) => day > date && day >= effective) ?? '9'].sort().at(-1) as string
      restarted = true
    }
  }
  // The days on which the share traded, newest first, as far as the listing goes.
  const days: number[] = []
  let day = t
  for (; isListed(panel, day, i); day--) if (!isHalted(panel, day, i)) days.push(day)
  const isWhole = day >= 0 || (listed !== null && listed >= dates[0]) || begin >= dates[0]
  if (!restarted && !isWhole && days.length < clause.window) return Number.NaN
  const counts = (of: number) => {
    const price = cell(panel, 'conv_price', of, i)
    const stock = cell(panel, 'close_stk', of, i)
    if (Number.isNaN(price) || Number.isNaN(stock) || dates[of] < from) return false
    const [close, trigger] = [whole(stock) * whole(1), whole(price) * whole(clause.trigger)]
    return which === 'redeem' ? close >= trigger : close < trigger
  }
  if (which === 'put') {
    const gap = days.findIndex((of) => !counts(of))
    return gap < 0 ? days.length : gap
  }
  return days.slice(0, clause.window).filter(counts).length
}

const promisedUntil = ({ date, until }: Announcement) => until ?? addMonths(date, 6)

/** The same day of a later month, or the month's last. */
function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}

/**
 * 强赎 of all days of one security: what is counted, and whether its issuer is presumed not to call. A day looks at those before it alone: `met` is
 * the first day on which the clause was met since the last promise or presumption was over.
 */
export function redeemDays(panel: Panel, i: number): { count: number; presumed: boolean; waiting: boolean }[] {
  const { dates, securities, callLists = [] } = panel
  const { announcements = [], terms } = securities[i]
  const covers = (day: string | undefined) => callLists.some(([from, until]) => day !== undefined && from <= day && day <= until)
  let met: number | null = null
  let until = ''
  let again = ''
  return dates.map((date, t) => {
    const heard = announcements.filter((each) => each.date < date)
    const called = heard.some(({ kind }) => kind === 'redeem' || kind === 'redeem_execution')
    const promised = heard.filter(({ kind }) => kind === 'no_redeem')
    const isNews = (each: Announcement) => t === 0 || each.date >= dates[t - 1]
    if (called || promised.some(isNews)) {
      met = null
      until = ''
    }
    if (promised.some(isNews)) again = ''
    const steps = heard.filter(({ kind }) => !['reset_proposal', 'reset', 'no_reset'].includes(kind))
    const [step, before] = [steps.at(-1), steps.findLast(({ kind }) => kind !== 'redeem_hint')]
    const isHinted = step?.kind === 'redeem_hint' && (before?.kind ?? 'no_redeem') === 'no_redeem' && dayOf(date) - dayOf(step.date) <= 60
    if (
      met !== null &&
      !called &&
      !isHinted &&
      isListed(panel, t, i) &&
      t - met >= (covers(dates[met]) && covers(dates[met + 1]) ? 2 : 30)
    ) {
      until = addMonths(dates[met], 3)
      again = nextDay(until)
      met = null
    }
    const count = countOf(panel, 'redeem', t, i, again)
    if (met === null && !called && date >= '2022-08-01' && count >= (terms?.redeem?.days ?? Number.NaN)) met = t
    const isThere = isListed(panel, t, i) && terms?.redeem != null
    return { count, presumed: isThere && until >= date, waiting: isThere && !Number.isNaN(count) && met !== null }
  })
}

const nextDay = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
