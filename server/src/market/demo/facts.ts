/** What is so of the demo companies between two days: industries, index membership, shares, plans and forecasts. A random stream of its own. */
import type { DatedFact } from '@convexa/engine'
import { addDays } from '../calendar.ts'
import type { Publication } from './company.ts'
import { membersOf } from './indices.ts'
import { industries } from './industries.ts'
import { Random } from './random.ts'
import type { ShareChange, StockMarket } from './stocks.ts'
import { subIndustries } from './sub-industries.ts'

type Facts = Readonly<Record<string, readonly DatedFact[]>>

const indexCodes = ['000300', '000905', '000852'] as const

/** The dated facts of every company. */
export function factsOfCompanies(seed: number, dates: readonly string[], stocks: StockMarket): Facts[] {
  const memberships = indexCodes.map((code) => membershipOf(code, dates, stocks))
  return stocks.companies.map((company, i) => {
    const random = new Random(seed, 'facts', company.index)
    return {
      ...industriesOf(random, industries[company.industry]!.name, dates),
      ...sharesOf(random, stocks.shares[i]!, dates),
      ...Object.fromEntries(indexCodes.map((code, k) => [`index_member_${code}`, memberships[k]![i]!])),
      ...plansOf(random, dates),
      unlock_ratio_30d: unlocksOf(stocks.shares[i]!, dates),
      ...reportsAhead(random, stocks.publications[i]!, dates),
    }
  })
}

/** One company in thirty was in another industry before. */
function industriesOf(random: Random, industry: string, dates: readonly string[]): Facts {
  const [second, third] = pickIndustry(random, industry)
  const always = (text: string): DatedFact[] => [{ from: null, to: null, text }]
  if (!random.chance(1 / 30)) return { industry_1: always(industry), industry_2: always(second), industry_3: always(third) }
  const since = dates[random.whole(1, dates.length - 1)]!
  const before = random.pick(industries.filter(({ name }) => name !== industry).map(({ name, weight }) => [name, weight] as const))
  const [secondBefore, thirdBefore] = pickIndustry(random, before)
  const changed = (old: string, now: string): DatedFact[] => [
    { from: null, to: since, text: old },
    { from: since, to: null, text: now },
  ]
  return { industry_1: changed(before, industry), industry_2: changed(secondBefore, second), industry_3: changed(thirdBefore, third) }
}

function pickIndustry(random: Random, industry: string): [string, string] {
  const second = random.pick((subIndustries[industry] ?? [`${industry}Ⅱ`]).map((name) => [name, 1] as const))
  return [second, `${second}Ⅲ`]
}

function sharesOf(random: Random, changes: readonly ShareChange[], dates: readonly string[]): Facts {
  const free = random.between(0.45, 0.95)
  const from = (of: (change: ShareChange) => number): DatedFact[] =>
    spans(
      changes.map((change) => ({ row: change.row, text: String(Number(of(change).toFixed(6))) })),
      dates,
    )
  return { total_share: from(({ total }) => total), float_share: from(({ float }) => float), free_share: from(({ float }) => float * free) }
}

/** Texts from row to row; the same text twice is one fact. */
function spans(turns: readonly { row: number; text: string }[], dates: readonly string[]): DatedFact[] {
  const kept = turns.filter(({ text }, k) => k === 0 || turns[k - 1]!.text !== text)
  return kept.map(({ row, text }, k) => ({ from: dates[row]!, to: kept[k + 1] ? dates[kept[k + 1]!.row]! : null, text }))
}

function membershipOf(code: string, dates: readonly string[], stocks: StockMarket): DatedFact[][] {
  const reviews = membersOf(dates, stocks, code)
  const out: { from: string; to: string | null; text: string }[][] = stocks.companies.map(() => [])
  reviews.forEach(({ row, members }, k) => {
    const next = reviews[k + 1]
    const [from, to] = [dates[row]!, next ? dates[next.row]! : null]
    for (const i of members) {
      const last = out[i]!.at(-1)
      if (last?.to === from) last.to = to
      else out[i]!.push({ from, to, text: '1' })
    }
  })
  return out
}

/** Pledges of one company in three, buy-backs and sell-downs now and then. */
function plansOf(random: Random, dates: readonly string[]): Facts {
  const pledges: { row: number; text: string }[] = []
  if (random.chance(0.35)) {
    let ratio = random.between(0.05, 0.6)
    for (let row = random.whole(0, 200); row < dates.length; row += random.whole(60, 260)) {
      pledges.push({ row, text: ratio.toFixed(4) })
      ratio = Math.min(0.95, Math.max(0, ratio + 0.12 * random.normal()))
    }
  }
  const none = [{ from: null, to: null, text: '0' }]
  return {
    pledge_ratio: pledges.length > 0 ? [{ from: null, to: dates[pledges[0]!.row]!, text: '0' }, ...spans(pledges, dates)] : none,
    buyback_flag: stretches(random, dates, 0.35, 240),
    reduce_flag: stretches(random, dates, 0.5, 120),
  }
}

/** Plans that run for months; `rate` a year. */
function stretches(random: Random, dates: readonly string[], rate: number, length: number): DatedFact[] {
  const out: DatedFact[] = []
  for (let row = 0; row < dates.length; row++) {
    if (!random.chance(rate / 242)) continue
    const end = row + random.whole(Math.floor(length / 3), length)
    out.push({ from: dates[row]!, to: dates[end] ?? null, text: '1' })
    row = end
  }
  return out
}

/** Shares that may be traded later are known before: thirty days ahead of the day. */
function unlocksOf(changes: readonly ShareChange[], dates: readonly string[]): DatedFact[] {
  return changes.flatMap((change, k): DatedFact[] => {
    const before = changes[k - 1]
    if (!before || change.total !== before.total || change.float <= before.float) return []
    const day = dates[change.row]!
    return [{ from: addDays(day, -30), to: day, text: (change.float / before.float - 1).toFixed(6) }]
  })
}

/** The day of the next report is announced after the quarter's end; of some years' profit a forecast is published in January. */
function reportsAhead(random: Random, publications: readonly Publication[], dates: readonly string[]): Facts {
  const ahead = publications.filter(({ period, announced }) => announced >= dates[0]! && period < dates.at(-1)!)
  const forecasts = publications.flatMap(({ period, announced, annual, profit }, k): DatedFact[] => {
    const before = publications[k - 4]
    const isForecast = random.chance(0.4)
    const day = addDays(`${Number(period.slice(0, 4)) + 1}-01-08`, random.whole(0, 22))
    const growth = before ? (profit - before.profit) / Math.abs(before.profit) + 0.05 * random.normal() : 0
    if (!annual || !before || !isForecast || announced < dates[0]! || day > dates.at(-1)!) return []
    return [{ from: addDays(day, 1), to: addDays(announced, 1), text: growth.toFixed(4) }]
  })
  return {
    next_report_date: ahead.map(({ period, announced }) => ({ from: addDays(period, 1), to: addDays(announced, 1), text: announced })),
    forecast_np_yoy: forecasts,
  }
}
