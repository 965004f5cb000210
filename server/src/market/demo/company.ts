/** The companies of the demo market: their description, their listing, and the accounts they publish quarter by quarter. */

import type { Board } from '@convexa/contract'
import { boards } from '@convexa/contract/enums/board'
import { addDays, daysBetween } from '../calendar.ts'
import { expectedTradingDays } from '../expected-days.ts'
import { areas, industries, orgforms } from './industries.ts'
import { fromQuantilesTable, params } from './params.ts'
import { Random } from './random.ts'

export interface Company {
  readonly index: number
  readonly code: string
  readonly name: string
  readonly pinyin: string
  readonly board: Board
  readonly industry: number
  readonly area: string
  readonly orgform: string
  /** Listing date, and its row; −1 = before the first day. */
  readonly listed: string
  readonly listedRow: number
  /** Width of returns a year, pull of the market and of its industry. */
  readonly sigma: number
  readonly beta: number
  readonly industryPull: number
  /** At the first day: yuan, 亿 shares. */
  readonly price: number
  readonly shares: number
  readonly floatRatio: number
  /** Price-to-book ratio that the market comes back to. */
  readonly book: number
  /** Turnover of an ordinary day. */
  readonly turnover: number
}

/** What is known from a row on: the newest announced accounts. 亿元, ratios as fractions. */
export interface Accounts {
  readonly knownRow: number
  readonly annual: boolean
  readonly revenue: number
  readonly profit: number
  readonly equity: number
  readonly cashFlow: number
  readonly grossMargin: number
  readonly debt: number
  readonly revenueGrowth: number
  readonly profitGrowth: number
  /** How far the profit was from what was expected, in standard deviations. */
  readonly surprise: number
}

const firstCode = 950_001
/** New listings a year among 1,000 companies. */
const listings: Readonly<Record<string, number>> = { 2020: 50, 2021: 56, 2022: 47, 2023: 31, 2024: 11, 2025: 13 }
const usualListings = 20

export function makeCompanies(seed: number, dates: readonly string[], alive: number): Company[] {
  const first = dates[0]!
  const years = Number(dates.at(-1)!.slice(0, 4)) - Number(first.slice(0, 4)) + 1
  const random = new Random(seed, 'listings')
  // Drawn for whole years, so that the companies of the past stay the same when a day is added.
  const days: string[] = []
  for (let k = 0; k < years; k++) {
    const year = String(Number(first.slice(0, 4)) + k)
    const calendar = expectedTradingDays(`${year}-01-01`, `${year}-12-31`)
    const count = Math.round(((listings[year] ?? usualListings) * alive) / 1_000)
    for (let n = 0; n < count; n++) days.push(calendar[random.whole(0, calendar.length - 1)]!)
  }
  days.sort()
  // About 1.25 % of the companies leave a year; those that come and those that go are squared over the years.
  const old = Math.round(alive - days.length + 0.0125 * alive * years)
  const rowOf = new Map(dates.map((date, row) => [date, row]))
  const fresh = days.flatMap((day) => (day > first && rowOf.has(day) ? [rowOf.get(day)!] : []))
  return Array.from({ length: old + fresh.length }, (_, i) => makeCompany(seed, i, dates, i < old ? -1 : fresh[i - old]!))
}

function makeCompany(seed: number, index: number, dates: readonly string[], listedRow: number): Company {
  const random = new Random(seed, 'company', index)
  const number = String(index + 1).padStart(3, '0')
  const listed = listedRow >= 0 ? dates[listedRow]! : addDays(dates[0]!, -random.whole(60, 7_000))
  const board = boardOf(random, listed)
  const industry = random.pick(industries.map((each, k) => [k, each.weight] as const))
  const traits = industries[industry]!
  // Market value in 亿元: a log-normal body, a longer tail above. Banks and insurers are larger.
  const size = random.normal()
  const value = 55 * Math.exp((size > 0 ? 1.45 : 0.7) * size) * (traits.debt >= 0.3 ? 6 : 1) * (boards[board].exchange === 'BSE' ? 0.35 : 1)
  const price = fromQuantilesTable(random.uniform(), params.stock.price_q_2022)
  const sigma = fromQuantilesTable(random.uniform(), params.stock.ann_vol_q05_25_50_75_95['2022']!) * (traits.debt >= 0.3 ? 0.7 : 1)
  const beta = fromQuantilesTable(random.uniform(), params.stock.beta_q05_25_50_75_95['2022']!)
  return {
    index,
    code: `${firstCode + index}.DM`,
    name: `演示股份${number}`,
    pinyin: `ysgf${number}`,
    board,
    industry,
    area: random.pick(areas),
    orgform: random.pick(orgforms),
    listed,
    listedRow,
    sigma,
    beta,
    industryPull: random.between(0.5, 1.5),
    price: Math.max(2, Math.round(price * 100) / 100),
    shares: value / price,
    floatRatio: listedRow >= 0 ? random.between(0.2, 0.3) : random.between(0.35, 1),
    book: 2.4 * (fromQuantilesTable(random.uniform(), params.stock.csi300.pb_q) / 2.5) ** 0.8 * traits.book,
    turnover: 0.02 * (value / 60) ** -0.22 * Math.exp(0.45 * random.normal()) * (listedRow >= 0 ? 1.6 : 1),
  }
}

const boardWeights: readonly (readonly [Board, number, string])[] = [
  ['SSE_MAIN', 30, ''],
  ['SZSE_MAIN', 27, ''],
  ['CHINEXT', 25, '2009-10-30'],
  ['STAR', 22, '2019-07-22'],
  ['BSE', 14, '2021-11-15'],
]
const boardOf = (random: Random, listed: string): Board =>
  random.pick(boardWeights.flatMap(([board, weight, since]) => (since <= listed ? [[board, weight] as const] : [])))

/** Quarter ends and the days within which their accounts are announced: MM-DD, from the quarter's own year. */
const reports = [
  { end: '03-31', from: '04-12', to: '04-30', years: 0 },
  { end: '06-30', from: '08-01', to: '08-31', years: 0 },
  { end: '09-30', from: '10-12', to: '10-31', years: 0 },
  { end: '12-31', from: '03-05', to: '04-30', years: 1 },
] as const

/** One quarter's accounts as they were published, the last four quarters together. */
export interface Publication extends Omit<Accounts, 'knownRow' | 'revenueGrowth' | 'profitGrowth'> {
  /** Last day of the period, and the day of the announcement. */
  readonly period: string
  readonly announced: string
}

/** All that a company publishes, quarter by quarter; the last may be announced only after the last day. */
export function publicationsOf(seed: number, company: Company, dates: readonly string[]): Publication[] {
  const random = new Random(seed, 'accounts', company.index)
  const traits = industries[company.industry]!
  const value = company.price * company.shares
  let equity = value / (company.book * Math.exp(0.35 * random.normal()))
  // Return on equity a year: most between 2 % and 15 %, higher where the market pays more for it; some lose money for years.
  const usualRoe = 0.08 + traits.roe + 0.042 * Math.log(company.book / 2.4) + 0.04 * random.normal() - (random.chance(0.04) ? 0.12 : 0)
  let roe = usualRoe
  let revenue = equity * 0.95 * Math.exp(0.5 * random.normal())
  let growth = 0.08
  let margin = Math.min(0.9, Math.max(0.03, traits.margin * Math.exp(0.35 * random.normal())))
  let debt = Math.min(0.93, Math.max(0.05, 0.4 + traits.debt + 0.16 * random.normal()))

  const publications: Publication[] = []
  const firstYear = Number(dates[0]!.slice(0, 4)) - 3
  const lastYear = Number(dates.at(-1)!.slice(0, 4))
  for (let year = firstYear; year <= lastYear; year++) {
    for (const report of reports) {
      const expected = usualRoe + 0.88 * (roe - usualRoe)
      const surprise = random.shock()
      roe = expected + 0.022 * surprise
      growth = 0.07 + 0.8 * (growth - 0.07) + 0.09 * random.normal() + 0.02 * surprise
      revenue *= Math.exp(growth / 4)
      const profit = roe * equity
      // What is kept of the profit, two thirds, adds to equity; losses take all of themselves.
      equity = Math.max(equity * 0.9, equity + (profit / 4) * (profit > 0 ? 0.66 : 1))
      margin = Math.min(0.9, Math.max(0.02, margin + 0.008 * random.normal()))
      debt = Math.min(0.95, Math.max(0.04, debt + 0.012 * random.normal()))
      const cashFlow = profit * 1.05 + 0.05 * equity * random.normal()
      const announced = announcement(random, year + report.years, report.from, report.to)
      publications.push({
        period: `${year}-${report.end}`,
        announced,
        annual: report.years === 1,
        revenue,
        profit,
        equity,
        cashFlow,
        grossMargin: margin,
        debt,
        surprise,
      })
    }
  }
  return publications
}

/** Accounts with what they were a year before, ascending by the row from which they are known; the first ones are known on row 0. */
export function accountsOf(publications: readonly Publication[], dates: readonly string[]): Accounts[] {
  const last = dates.at(-1)!
  const accounts = publications.slice(4).flatMap((each, k): Accounts[] => {
    const { revenue, profit } = publications[k]!
    const { period: _period, announced, ...numbers } = each
    if (announced > last) return []
    const known = {
      ...numbers,
      // The announcement comes in the evening: known from the next trading day.
      knownRow: rowAfter(dates, announced),
      revenueGrowth: each.revenue / revenue - 1,
      profitGrowth: (each.profit - profit) / Math.abs(profit),
    }
    return [known]
  })
  // Of accounts known from the same day on only the newest is seen; that the year's were among them is not forgotten.
  const seen: Accounts[] = []
  for (const each of accounts) {
    const before = seen.at(-1)
    if (before === undefined || before.knownRow < each.knownRow) seen.push(each)
    else seen[seen.length - 1] = { ...each, knownRow: before.knownRow, annual: each.annual || before.annual }
  }
  return seen
}

function announcement(random: Random, year: number, from: string, to: string): string {
  const first = `${year}-${from}`
  // Most announce late.
  return addDays(first, Math.floor(daysBetween(first, `${year}-${to}`) * Math.sqrt(random.uniform())))
}

function rowAfter(dates: readonly string[], date: string): number {
  let low = 0
  let high = dates.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (dates[middle]! <= date) low = middle + 1
    else high = middle
  }
  return low
}
