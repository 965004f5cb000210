/**
 * Life cycles of the demo bonds: issues, moves of the conversion price, calls. All of it follows from the
 * stocks alone, so it is settled before a single bond is priced. Month by month and day by day:
 *
 * 1. new issues, as many as bring the market to its size
 * 2. ex-days and downward revisions move the conversion price
 * 3. the clause "15 of 30 days ≥ 130 %" counts; when met the issuer calls, waives for six months or says nothing
 * 4. announced → executing → last trading day → delisted; or maturity; or the company itself is delisted
 */
import { type AnnouncementKind, callStatuses, monthsLater, presumedSince } from '@convexa/engine'
import { addDays, daysBetween } from '../calendar.ts'
import type { Climate } from './climate.ts'
import { industries } from './industries.ts'
import { params } from './params.ts'
import { fromQuantiles, Random } from './random.ts'
import { ratingOf, worstRating } from './ratings.ts'
import type { StockMarket } from './stocks.ts'

export interface BondLife {
  readonly index: number
  readonly code: string
  readonly company: number
  /** 亿元. */
  readonly size: number
  /** Share already converted when the life begins. */
  readonly converted: number
  readonly issued: string
  readonly listed: string
  /** −1 = before the first day. */
  readonly listedRow: number
  readonly convertible: string
  readonly maturity: string
  /** Yuan per 100 a year, and what is paid at maturity, the last coupon included. */
  readonly coupons: readonly number[]
  readonly maturityPrice: number
  /** Index into `ratings`, by the row from which it holds. */
  readonly ratings: readonly { readonly row: number; readonly rating: number }[]
  /** From `firstRow` on, one value a day. */
  readonly firstRow: number
  readonly convPrice: Float64Array
  readonly status: Uint8Array
  readonly count: Uint8Array
  /** The revision that is announced but not yet in force, NaN when none. */
  readonly revision: Float64Array
  /** Rows; they may lie after the last day. null = not known yet. */
  readonly lastRow: number | null
  readonly knownRow: number | null
  readonly delistRow: number | null
  readonly redemptionPrice: number | null
  readonly ending: 'called' | 'matured' | 'delisted' | null
  /** What the issuer published, in order. */
  readonly events: readonly LifeEvent[]
  /** Rows on which the condition for a downward revision is met. */
  readonly weak: readonly number[]
}

interface LifeEvent {
  readonly kind: AnnouncementKind
  /** The first row that knows of it. */
  readonly row: number
  /** Last row of a promise, of conversion. */
  readonly untilRow?: number
  readonly lastRow?: number
  readonly price?: number
}

const status = Object.fromEntries(callStatuses.map((key, index) => [key, index])) as Record<(typeof callStatuses)[number], number>

const firstCode = 900_001
const term = 6
export const clause = { window: 30, days: 15, call: 1.3, reset: 0.85 }
/** Chances as observed (params.json call, conv_price_events). */
const decision = { call: 0.42, notice: 0.4, silent: 0.25, waiverRows: 121, revisionADay: 0.0026 }
/** Rows from the announcement to the executing notice and to the last trading day, and from there to the delisting. */
const timetable = { execute: [3, 8], last: [14, 24], gap: [2, 5] } as const
const maturityNotice = 25

/** Bonds alive on a day: from two thirds of the goal at the start to the goal after two and a half years. */
const goal = (alive: number, row: number): number => alive * Math.min(1, 0.64 + (0.36 * row) / 600)

export function liveBonds(seed: number, climate: Climate, stocks: StockMarket, alive: number, later: readonly string[]): BondLife[] {
  const { dates } = climate
  const calendar = [...dates, ...later]
  const random = new Random(seed, 'issues')
  const bonds: Growing[] = []
  const aliveOf = new Map<number, number>()
  let living: Growing[] = []
  const add = (bond: Growing | null) => {
    if (bond === null) return
    bonds.push(bond)
    living.push(bond)
    aliveOf.set(bond.company, (aliveOf.get(bond.company) ?? 0) + 1)
  }
  for (let k = 0; k < goal(alive, 0); k++)
    add(issue(seed, random, bonds.length, calendar, stocks, 0, aliveOf, random.between(0.1, 4.6) ** 1.1))
  for (let t = 0; t < dates.length; t++) {
    if (t > 0 && dates[t]!.slice(0, 7) !== dates[t - 1]!.slice(0, 7)) {
      const wanted = Math.max(1, Math.round(goal(alive, t) - living.length + (alive / 150) * random.normal()))
      for (let k = 0; k < wanted; k++) add(issue(seed, random, bonds.length, calendar, stocks, t, aliveOf, 0))
    }
    for (const bond of living) step(bond, t, climate, stocks)
    const dead = living.filter((bond) => bond.lastRow !== null && bond.lastRow <= t)
    if (dead.length === 0) continue
    for (const bond of dead) aliveOf.set(bond.company, aliveOf.get(bond.company)! - 1)
    living = living.filter((bond) => !dead.includes(bond))
  }
  // Those whose listing lies after the last day are not in the market yet. Codes in the order of listing.
  return bonds
    .filter((bond) => bond.listedRow < dates.length)
    .sort((a, b) => (a.listed < b.listed ? -1 : a.listed > b.listed ? 1 : a.index - b.index))
    .map((bond, index) => ({
      ...bond,
      index,
      code: `${firstCode + index}.DM`,
      convPrice: Float64Array.from(bond.convPrices),
      status: Uint8Array.from(bond.statuses),
      count: Uint8Array.from(bond.counts),
      revision: Float64Array.from(bond.revisions),
    }))
}

/** State of a bond's life cycle during the simulation. */
interface Growing {
  readonly index: number
  readonly company: number
  readonly size: number
  readonly converted: number
  readonly issued: string
  readonly listed: string
  readonly listedRow: number
  readonly convertible: string
  readonly maturity: string
  readonly maturityLastRow: number
  readonly coupons: readonly number[]
  readonly maturityPrice: number
  readonly firstRow: number
  readonly ratings: { row: number; rating: number }[]
  readonly random: Random
  price: number
  stock: number
  exDay: number
  /** Days on which its share traded. */
  seen: number
  /** The last 30 of them against the trigger; those against the reset trigger beside. */
  readonly above: Uint8Array
  readonly below: Uint8Array
  recount: number
  metRow: number
  announceRow: number
  executeRow: number
  waiveRow: number
  /** The clause was met on this row, and nothing will be published. */
  silentRow: number
  notice: boolean
  revisionRow: number
  revisionPrice: number
  lastRow: number | null
  knownRow: number | null
  delistRow: number | null
  redemptionPrice: number | null
  ending: 'called' | 'matured' | 'delisted' | null
  readonly events: LifeEvent[]
  readonly weak: number[]
  readonly convPrices: number[]
  readonly statuses: number[]
  readonly counts: number[]
  readonly revisions: number[]
}

/** A new bond of some company that may issue one, or null. `age` in years: a bond that was issued before the first day. */
function issue(
  seed: number,
  draw: Random,
  index: number,
  calendar: readonly string[],
  stocks: StockMarket,
  t: number,
  aliveOf: ReadonlyMap<number, number>,
  age: number,
): Growing | null {
  const { columns, stride } = stocks
  const second = draw.chance(0.25)
  let company = -1
  for (let tries = 0; tries < 200 && company < 0; tries++) {
    const i = draw.whole(0, stocks.companies.length - 1)
    const at = t * stride + i
    const seasoned = stocks.companies[i]!.listedRow < 0 || t - stocks.companies[i]!.listedRow > 250
    const leaving = stocks.securities[i]!.lastDayKnown !== null && stocks.securities[i]!.lastDayKnown <= calendar[t]!
    const sound = columns.is_st[at] === 0 && columns.roe_ttm[at]! > 0.005 && columns.close[at]! > 2.5 && columns.total_mv[at]! > 12
    const bondsNow = aliveOf.get(i) ?? 0
    if (stocks.listed[at] === 1 && seasoned && sound && !leaving && bondsNow === (second ? 1 : 0)) company = i
  }
  if (company < 0) return null
  const random = new Random(seed, 'bond', index)
  const at = t * stride + company
  const value = columns.total_mv[at]!
  const close = columns.close[at]!
  const wished = fromQuantiles(random.uniform(), issueProbabilities, issueSizes)
  const size = Math.round(Math.max(1.5, Math.min(0.26 * value, Math.max(0.03 * value, wished))) * 100) / 100
  const issued = addDays(calendar[t]!, -Math.round(age * 365))
  const firstListing = age > 0 ? -1 : t + random.whole(14, 26)
  const listed = age > 0 ? addDays(issued, 25) : (calendar[firstListing] ?? '9999-12-31')
  const maturity = addYears(issued, term)
  const rating = ratingOf(random, value, columns.roe_ttm[at]!, industries[stocks.companies[company]!.industry]!.debt)
  const step = random.between(-0.05, 0.1) + 0.03 * rating
  return {
    index,
    company,
    size,
    converted: age > 0 ? Math.min(0.7, 0.4 * random.uniform() ** 4 * age) : 0,
    issued,
    listed,
    listedRow: firstListing,
    convertible: addDays(issued, 183),
    maturity,
    maturityLastRow: rowBefore(calendar, maturity) - 2,
    coupons: [0.2, 0.4, 0.6, 1.2, 1.6, 2].map((rate) => Math.round((rate + step) * 10) / 10),
    maturityPrice: random.pick(maturityPrices),
    firstRow: t,
    ratings: [{ row: 0, rating }],
    random,
    // The conversion price of an older bond was set in the past: conversion values scatter around 92.
    price: Math.max(1, Math.round(close * (age > 0 ? Math.exp(0.08 + 0.27 * random.normal()) : 1 + 0.01 * random.uniform()) * 100) / 100),
    stock: close,
    exDay: stocks.exDays[company]!.findIndex((each) => each.row > t),
    above: new Uint8Array(clause.window),
    below: new Uint8Array(clause.window),
    recount: 0,
    metRow: -1,
    announceRow: -1,
    executeRow: -1,
    waiveRow: -1,
    silentRow: -1,
    seen: 0,
    notice: false,
    revisionRow: -1,
    revisionPrice: Number.NaN,
    lastRow: null,
    knownRow: null,
    delistRow: null,
    redemptionPrice: null,
    ending: null,
    events: [],
    weak: [],
    convPrices: [],
    statuses: [],
    counts: [],
    revisions: [],
  }
}

function step(bond: Growing, t: number, climate: Climate, stocks: StockMarket): void {
  const { dates } = climate
  const { random } = bond
  const at = t * stocks.stride + bond.company
  const draws = [random.uniform(), random.uniform(), random.uniform()] as const
  const trades = stocks.traded[at] === 1
  if (trades) bond.stock = stocks.columns.close[at]!

  // 2. The conversion price.
  const exDay = bond.exDay >= 0 ? stocks.exDays[bond.company]![bond.exDay] : undefined
  if (exDay !== undefined && exDay.row <= t) {
    bond.price = cents((bond.price - exDay.cash) / (1 + exDay.ratio))
    if (bond.revisionRow >= 0) bond.revisionPrice = cents((bond.revisionPrice - exDay.cash) / (1 + exDay.ratio))
    bond.exDay++
  }
  if (bond.revisionRow === t) {
    bond.price = Math.min(bond.price, bond.revisionPrice)
    bond.revisionRow = -1
    bond.below.fill(0)
    bond.events.push({ kind: 'reset', row: t })
  }

  // Ratings fall after losses and seldom rise.
  if (t % 121 === bond.index % 121) {
    const rating = bond.ratings.at(-1)!.rating
    const losing = stocks.columns.roe_ttm[at]! < 0 || stocks.columns.is_st[at] === 1
    if (draws[2] < (losing ? 0.3 : 0.015))
      bond.ratings.push({ row: t, rating: Math.min(worstRating, rating + (losing && draws[1] < 0.4 ? 2 : 1)) })
    else if (draws[2] > 0.995 && rating > 0) bond.ratings.push({ row: t, rating: rating - 1 })
  }

  // 3. The clauses.
  const open = dates[t]! >= bond.convertible && t >= bond.recount
  if (trades) {
    // Both prices are whole cents, the trigger a whole per cent.
    const [stock, price] = [Math.round(bond.stock * 1e4), Math.round(bond.price * 100)]
    const slot = bond.seen++ % clause.window
    bond.above[slot] = open && stock >= price * Math.round(clause.call * 100) ? 1 : 0
    bond.below[slot] = stock < price * Math.round(clause.reset * 100) ? 1 : 0
  }
  const count = sum(bond.above)
  const settled = bond.lastRow !== null || bond.announceRow >= 0
  const ending = t > bond.maturityLastRow - 40
  if (!settled && bond.metRow < 0 && count >= clause.days && !ending) {
    bond.metRow = t
    if (draws[0] < decision.call) {
      bond.notice = draws[1] < decision.notice
      bond.announceRow = t + Math.floor(draws[2] * 4) + (bond.notice ? 2 : 0)
      bond.executeRow = bond.announceRow + random.whole(...timetable.execute)
      bond.lastRow = bond.announceRow + random.whole(...timetable.last)
      bond.knownRow = bond.executeRow
      bond.delistRow = bond.lastRow + random.whole(...timetable.gap)
      bond.redemptionPrice = Math.round((100 + random.between(0.05, 1.6)) * 1_000) / 1_000
      bond.ending = 'called'
      const lastConversion = Math.min(bond.lastRow + 3, bond.delistRow)
      if (bond.notice) bond.events.push({ kind: 'redeem_hint', row: bond.announceRow - 1 })
      bond.events.push({ kind: 'redeem', row: bond.announceRow + 1 })
      bond.events.push({ kind: 'redeem_execution', row: bond.executeRow, price: bond.redemptionPrice, lastRow: lastConversion })
    } else if (draws[1] < decision.silent && dates[t]! >= presumedSince) bond.silentRow = t
    else bond.waiveRow = t + Math.floor(draws[2] * 5)
  }
  // It publishes nothing, and is presumed not to call.
  if (bond.silentRow >= 0 && t === bond.silentRow + 2) {
    const until = monthsLater(dates[bond.silentRow]!, 3)
    bond.silentRow = -1
    bond.metRow = -1
    bond.recount = rowBefore(dates, addDays(until, 1)) + 1
    bond.above.fill(0)
  }
  if (bond.waiveRow === t) {
    bond.waiveRow = -1
    bond.metRow = -1
    bond.recount = t + decision.waiverRows
    bond.events.push({ kind: 'no_redeem', row: t, untilRow: bond.recount - 1 })
    bond.above.fill(0)
  }
  const weak = sum(bond.below) >= clause.days
  if (weak && !settled) bond.weak.push(t)
  if (!settled && weak && bond.revisionRow < 0 && !ending && draws[0] < decision.revisionADay && t > bond.listedRow + 120) {
    bond.revisionRow = t + random.whole(15, 22)
    bond.revisionPrice = cents(bond.stock * random.between(1, 1.12))
    bond.events.push({ kind: 'reset_proposal', row: t })
  }

  // 4. The end.
  if (bond.lastRow === null && t >= bond.maturityLastRow - maturityNotice) {
    bond.lastRow = Math.max(t, bond.maturityLastRow)
    bond.knownRow = t
    bond.delistRow = bond.lastRow + 3
    bond.redemptionPrice = bond.maturityPrice
    bond.ending = 'matured'
    bond.events.push({ kind: 'maturity', row: t, price: bond.maturityPrice, lastRow: bond.lastRow })
  }
  const { lastDay, lastDayKnown } = stocks.securities[bond.company]!
  if (lastDayKnown !== null && lastDayKnown <= dates[t]! && bond.ending !== 'delisted') {
    const row = lastDay === null ? -1 : dates.indexOf(lastDay, t)
    if (row >= 0 && (bond.lastRow === null || row < bond.lastRow)) {
      bond.lastRow = row
      bond.knownRow = t
      bond.delistRow = row + 1
      bond.redemptionPrice = null
      bond.ending = 'delisted'
    }
  }

  bond.convPrices.push(bond.price)
  bond.revisions.push(bond.revisionRow >= 0 ? bond.revisionPrice : Number.NaN)
  bond.counts.push(sum(bond.above))
  bond.statuses.push(statusOf(bond, t))
}

function statusOf(bond: Growing, t: number): number {
  if (bond.ending === 'matured') return status.maturity
  if (bond.announceRow >= 0 && t >= bond.executeRow) return status.executing
  if (bond.announceRow >= 0 && t > bond.announceRow) return status.announced
  if (bond.metRow < 0) return status.none
  return bond.notice && t >= bond.announceRow - 1 ? status.notice : status.met
}

const issueProbabilities = Object.keys(params.cb.issue_yi_quantiles).map((key) => Number.parseFloat(key) / 100)
const issueSizes = Object.values(params.cb.issue_yi_quantiles)
const maturityPrices = [
  [108, 30],
  [110, 35],
  [112, 15],
  [115, 20],
] as const

const cents = (price: number): number => Math.max(0.01, Math.round(price * 100) / 100)

function sum(flags: Uint8Array): number {
  let total = 0
  for (let i = 0; i < flags.length; i++) total += flags[i]!
  return total
}

function addYears(date: string, years: number): string {
  const moved = `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
  return moved.endsWith('02-29') && Number(moved.slice(0, 4)) % 4 !== 0 ? `${moved.slice(0, 4)}-02-28` : moved
}

/** The last row before a date; beyond the last day about as many rows as weekdays lie between. */
function rowBefore(dates: readonly string[], date: string): number {
  const last = dates.at(-1)!
  if (date > last) return dates.length - 1 + Math.floor((daysBetween(last, date) * 242) / 365)
  let row = dates.length - 1
  while (row >= 0 && dates[row]! >= date) row--
  return row
}
