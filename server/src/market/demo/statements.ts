/**
 * The statements that the demo companies publish, from a random stream of their own. What the market's columns say of the last
 * four quarters is what the statements add up to; the rest of a statement is drawn around it.
 */
import { dayNumber, type Statement, type StatementHistory, statementHistoryOf } from '@convexa/engine'
import { addDays } from '../calendar.ts'
import type { Company, Publication } from './company.ts'
import { industries } from './industries.ts'
import { Random } from './random.ts'
import type { StockMarket } from './stocks.ts'

/** The statements of all companies as they were public on the last day. */
export function statementsOf(seed: number, dates: readonly string[], stocks: StockMarket): StatementHistory {
  const last = dates.at(-1)!
  const all = stocks.companies.map((company, i) => {
    const capitalOn = (date: string) => capital(company, stocks.shares[i]!, dates, date)
    return statementsOfCompany(seed, company, stocks.publications[i]!, capitalOn).filter(({ published }) => published <= last)
  })
  return statementHistoryOf(all, dayNumber)
}

function capital(company: Company, changes: StockMarket['shares'][number], dates: readonly string[], date: string): number {
  let total = company.shares
  for (const change of changes) if (dates[change.row]! <= date) total = change.total
  return total
}

function statementsOfCompany(
  seed: number,
  company: Company,
  publications: readonly Publication[],
  capitalOn: (date: string) => number,
): Statement[] {
  const random = new Random(seed, 'statements', company.index)
  const isBank = industries[company.industry]!.debt >= 0.3
  const usual = {
    minority: random.chance(0.5) ? random.between(0, 0.08) : 0,
    tax: random.between(0.13, 0.25),
    sell: random.between(0.2, 0.5),
    research: isBank ? 0 : random.between(0.05, 0.35),
    oneOff: random.between(0.02, 0.2),
    money: random.between(0.08, 0.28),
    receivables: random.between(0.08, 0.38),
    inventories: isBank ? 0 : random.between(0.08, 0.4),
    goodwill: random.chance(0.45) ? random.between(0.005, 0.2) : 0,
    otherCurrent: random.between(0.03, 0.12),
    currentLiab: random.between(0.6, 0.88),
    borrowed: random.between(0.1, 0.55),
    wear: random.between(0.02, 0.05),
    payout: company.index % 4 === 3 ? 0 : random.between(0.15, 0.5),
  }
  let holders = 12_000 * Math.exp(0.4 * Math.log(company.price * company.shares) + 0.5 * random.normal() - 0.8)
  const singles = { revenue: new Quarters(0.1), cost: new Quarters(0.1), profit: new Quarters(), cash: new Quarters() }
  const years = new Map<string, Record<string, number>>()
  const out: Statement[] = []
  for (const each of publications) {
    const { period, announced, annual } = each
    const revenue = singles.revenue.next(each.revenue)
    const cost = singles.cost.next(each.revenue * (1 - each.grossMargin))
    const np = singles.profit.next(each.profit)
    const ocf = singles.cash.next(each.cashFlow)
    const noise = () => 1 + 0.06 * random.normal()
    const nIncome = np * (1 + usual.minority * (np > 0 ? 1 : -1))
    const total = nIncome > 0 ? nIncome / (1 - usual.tax) : nIncome
    // Gross profit less what is earned before tax went into the three expenses and research.
    const spent = Math.max(0.04 * revenue, each.grossMargin * revenue - total)
    const assets = (each.equity * (1 + usual.minority)) / (1 - each.debt)
    const debt = each.debt * assets
    const borrowed = debt * usual.borrowed
    const interest = (borrowed * 0.038) / 4
    const rest = Math.max(0, spent - interest)
    const research = rest * usual.research * noise()
    const sell = (rest - research) * usual.sell
    const flows: Record<string, number> = {
      revenue,
      oper_cost: cost,
      sell_exp: sell,
      admin_exp: rest - research - sell,
      fin_exp: interest * 0.85,
      rd_exp: research,
      int_exp: interest,
      operate_profit: total * (1 + 0.015 * random.normal()),
      total_profit: total,
      n_income: nIncome,
      np_parent: np,
      np_dt: np - Math.abs(np) * usual.oneOff * (1 + 0.5 * random.normal()),
      ocf,
      dep_amort: (assets * usual.wear) / 4,
      cash_div: annual && each.profit > 0 ? each.profit * usual.payout : 0,
    }
    const year = period.slice(0, 4)
    const before = years.get(year) ?? {}
    const cumulative = Object.fromEntries(Object.entries(flows).map(([key, value]) => [key, (before[key] ?? 0) + value]))
    years.set(year, cumulative)
    holders *= Math.exp(0.06 * random.normal())
    const money = assets * usual.money * noise()
    const receivables = Math.min(each.revenue * usual.receivables * noise(), 0.25 * assets)
    const inventories = Math.min(each.revenue * (1 - each.grossMargin) * usual.inventories * noise(), 0.25 * assets)
    const levels = {
      total_assets: assets,
      total_liab: debt,
      equity_parent: each.equity,
      money_cap: money,
      receivables,
      inventories,
      goodwill: each.equity * usual.goodwill,
      total_cur_assets: Math.min(0.92 * assets, money + receivables + inventories + assets * usual.otherCurrent),
      total_cur_liab: debt * usual.currentLiab * (1 + 0.02 * random.normal()),
      interest_debt: borrowed,
      share_capital: capitalOn(period),
      holder_num: Math.round(holders),
      ...(annual && { audit_opinion: random.chance(each.profit < -0.1 * each.equity ? 0.25 : 0.004) ? 0 : 1 }),
    }
    const items = { ...cumulative, ...levels }
    // What was not yet published when the first four quarters were counted is no statement.
    out.push({ period, published: announced, items })
    if (random.chance(0.03)) out.push({ period, published: addDays(announced, random.whole(25, 200)), items: restated(random, items) })
  }
  return out
}

/** A correction of side items; what the columns of the market are made of stays. */
function restated(random: Random, items: Readonly<Record<string, number>>): Record<string, number> {
  const keys = ['np_dt', 'rd_exp', 'receivables', 'inventories', 'goodwill']
  return Object.fromEntries(keys.flatMap((key) => (items[key] ? [[key, items[key] * (1 + 0.08 * random.normal())]] : [])))
}

/** Single quarters of which four in a row make the sums given; `least` = the part of a usual quarter below which none falls. */
class Quarters {
  private readonly known: number[] = []
  private readonly least: number | null

  constructor(least: number | null = null) {
    this.least = least
  }

  next(sum: number): number {
    const three = this.known.slice(-3)
    const wanted = three.length < 3 ? sum / 4 : sum - three.reduce((total, value) => total + value, 0)
    const value = this.least === null ? wanted : Math.max((this.least * sum) / 4, wanted)
    this.known.push(value)
    return value
  }
}
