/**
 * The demo stock market, company by company, along the shared climate:
 *
 * 1. news that become known: accounts, ST, delisting
 * 2. ex-dividend and ex-split: the exchange's previous close and the adjustment factor move
 * 3. suspended? nothing trades
 * 4. the day's return: market, industry, size, way back to the usual valuation, own shock, what yesterday's limit cut off
 * 5. close inside the price limits of the engine's own rules, then open, high, low, turnover
 */
import type { Security, StatementHistory } from '@convexa/engine'
import { markets } from '@convexa/engine'
import { strideFor } from '../store.ts'
import type { Climate } from './climate.ts'
import { type Accounts, accountsOf, type Company, type Publication, publicationsOf } from './company.ts'
import { industries } from './industries.ts'
import { params } from './params.ts'
import { Random } from './random.ts'

/** A day on which a company's shares changed: cash a share, new shares a share. Bonds move their conversion price by it. */
interface ExDay {
  readonly row: number
  readonly cash: number
  readonly ratio: number
}

export interface StockMarket {
  readonly companies: readonly Company[]
  readonly securities: readonly Security[]
  readonly stride: number
  readonly columns: Record<StockKey, Float64Array | Float32Array>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
  /** By company. */
  readonly exDays: readonly (readonly ExDay[])[]
  readonly accounts: readonly (readonly Accounts[])[]
  readonly publications: readonly (readonly Publication[])[]
  readonly shares: readonly (readonly ShareChange[])[]
  readonly reports?: StatementHistory
}

/** From a row on, in 亿: all shares, and those that may be traded. */
export interface ShareChange {
  readonly row: number
  readonly total: number
  readonly float: number
}

const doubles = ['close', 'open', 'high', 'low', 'pre_close', 'vol', 'amount', 'adj_factor'] as const
const singles = [
  'turnover',
  'total_mv',
  'circ_mv',
  'pe_ttm',
  'pb',
  'ps_ttm',
  'pcf_ttm',
  'dv_ratio',
  'roe_ttm',
  'or_yoy',
  'netprofit_yoy',
  'grossprofit_margin',
  'debt_to_assets',
  'is_st',
] as const
type StockKey = (typeof doubles)[number] | (typeof singles)[number]

const overnight = params.stock.overnight_variance_share
/** Pull back to the usual valuation, and of small size, low risk and last week's fall on the return of a year or day. */
const effect = { valuation: 0.18, small: 0.015, risk: -0.08, reversal: -0.005, surprise: 0.018 }
const suspension = { start: 0.0005, go: 0.18 }
const delisting = { chance: 0.22, orderly: 15 }

export function simulateStocks(seed: number, climate: Climate, companies: readonly Company[], later: readonly string[]): StockMarket {
  const { dates } = climate
  const stride = strideFor(companies.length)
  const cells = dates.length * stride
  const columns = Object.fromEntries([
    ...doubles.map((key) => [key, new Float64Array(cells).fill(Number.NaN)]),
    ...singles.map((key) => [key, new Float32Array(cells).fill(Number.NaN)]),
  ]) as Record<StockKey, Float64Array | Float32Array>
  const listed = new Uint8Array(cells)
  const traded = new Uint8Array(cells)
  const sizes = companies.map((company) => Math.log(company.price * company.shares))
  const meanSize = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const publications = companies.map((company) => publicationsOf(seed, company, dates))
  const accounts = publications.map((published) => accountsOf(published, dates))
  const lives = companies.map((company, i) =>
    simulateCompany(seed, company, climate, accounts[i]!, sizes[i]! - meanSize, { stride, columns, listed, traded }),
  )
  const calendar = [...dates, ...later]
  return {
    companies,
    securities: companies.map((company, i) => ({
      ...securityOf(company),
      delisted: dateOf(lives[i]!.lastRow, calendar, 1),
      lastDay: dateOf(lives[i]!.lastRow, calendar),
      exDays: lives[i]!.exDays.map(({ row, cash, ratio }) => ({ date: calendar[row]!, cash, ratio })),
      lastDayKnown: dateOf(lives[i]!.knownRow, calendar),
    })),
    stride,
    columns,
    listed,
    traded,
    exDays: lives.map((life) => life.exDays),
    accounts,
    publications,
    shares: lives.map((life) => life.shares),
  }
}

interface Life {
  readonly exDays: ExDay[]
  readonly shares: ShareChange[]
  /** Rows: the last trading day and from when it was public; null while none is known. May lie after the last day. */
  readonly lastRow: number | null
  readonly knownRow: number | null
}

type Sheet = Pick<StockMarket, 'stride' | 'columns' | 'listed' | 'traded'>

function simulateCompany(
  seed: number,
  company: Company,
  climate: Climate,
  accounts: readonly Accounts[],
  size: number,
  sheet: Sheet,
): Life {
  const { dates } = climate
  const { columns, stride } = sheet
  const random = new Random(seed, 'stock', company.index)
  const rules = markets.stk
  const security = securityOf(company)
  const industryPath = climate.industries[company.industry]!
  const first = Math.max(0, company.listedRow)
  const smallness = -size / 1.25
  // What market, industry and size leave of the variance is the company's own.
  const shared = (company.beta * 0.205) ** 2 + (company.industryPull * 0.124) ** 2
  const own = Math.sqrt(Math.max(0.2 * company.sigma ** 2, company.sigma ** 2 - shared))
  const drift = (-0.5 * (own ** 2 + shared) + effect.small * smallness + effect.risk * (company.sigma - 0.46)) / 242

  const exDays: ExDay[] = []
  const changes: ShareChange[] = []
  let close = company.price
  let shares = company.shares
  let floatRatio = company.floatRatio
  let factor = 1
  let book: Accounts | null = null
  let next = 0
  let cut = company.listedRow >= 0 ? Math.max(0.1, 0.75 + 0.45 * random.normal()) : 0
  let cutKept = company.listedRow >= 0 ? 1 : 0.4
  const week = new Float64Array(5)
  let busy = 0
  let suspended = false
  let st = false
  let losses = 0
  let stSince = -1
  let below = 0
  let lastRow: number | null = null
  let knownRow: number | null = null
  let dueCash = 0
  let dueRatio = 0
  let dueRow = -1
  let paidRow = -1_000
  let paidCash = 0

  for (let t = first; t < dates.length && (lastRow === null || t <= lastRow); t++) {
    const at = t * stride + company.index
    sheet.listed[at] = 1
    const date = dates[t]!
    let news = 0

    // 1. News.
    while (next < accounts.length && accounts[next]!.knownRow <= t) {
      book = accounts[next++]!
      if (t > first) news += effect.surprise * book.surprise
      if (!book.annual) continue
      losses = book.profit < 0 ? losses + 1 : 0
      const bad = book.profit < -0.02 * book.equity
      if (t === first && book.profit < 0 && random.chance(0.15)) losses = 2
      if (losses >= 2 && bad && !st) {
        st = true
        stSince = t
        if (t > first) news -= 0.12
      } else if (st && book.profit > 0) {
        st = false
        news += 0.08
      } else if (st && t - stSince > 200 && lastRow === null && random.chance(delisting.chance)) {
        knownRow = t + 1
        lastRow = t + 1 + delisting.orderly
        cut -= 0.6
      }
      // Dividends: three companies in four that earn pay 15–50 % of the profit, most of them in June; some also give shares.
      if (book.profit > 0 && company.index % 4 !== 3) {
        // However much is earned, no more than 8 % of the price is paid.
        dueCash = Math.round(Math.min((book.profit * random.between(0.15, 0.5)) / shares, 0.08 * close) * 1_000) / 1_000
        dueRatio = close > 22 && random.chance(0.22) ? random.whole(2, 5) / 10 : 0
        dueRow = t + 12 + Math.floor(22 * (random.uniform() + random.uniform()))
      }
    }
    below = close < 1 ? below + 1 : 0
    if (below >= 20 && lastRow === null) {
      knownRow = t + 1
      lastRow = t + 1 + delisting.orderly
    }

    // 2. Ex-day.
    let previous = close
    if (t === dueRow && !suspended) {
      const before = close
      previous = Math.max(0.01, Math.round(((close - dueCash) / (1 + dueRatio)) * 100) / 100)
      if (previous !== before) {
        factor *= before / previous
        shares *= 1 + dueRatio
        exDays.push({ row: t, cash: dueCash, ratio: dueRatio })
        paidRow = t
        paidCash = dueCash / (1 + dueRatio)
      }
    } else if (t === dueRow) dueRow++
    if (floatRatio < 0.95 && company.listedRow >= 0 && (t - first) % 250 === 249) floatRatio = Math.min(0.95, floatRatio + 0.22)
    const before = changes.at(-1)
    if (before?.total !== shares || before.float !== shares * floatRatio)
      changes.push({ row: t, total: shares, float: shares * floatRatio })

    // 3. Suspension.
    const draws = [random.uniform(), random.uniform(), random.uniform()] as const
    suspended = t > first && (lastRow === null || t !== lastRow) && (suspended ? draws[0] >= suspension.go : draws[0] < suspension.start)

    // 4. The day's return.
    const shock = own / 15.5563 // √242
    const ownShock = shock * random.shock()
    const wish = Math.log((close * shares) / ((book?.equity ?? close * shares) * company.book))
    // The pull is weak near the usual valuation; a price more than e times off returns within months.
    const beyond = Math.sign(wish) * Math.max(0, Math.abs(wish) - 1)
    const back = -(effect.valuation * Math.max(-1.5, Math.min(1.5, wish)) + 2.5 * beyond) / 242
    const lastWeek = week[0]! + week[1]! + week[2]! + week[3]! + week[4]!
    const total =
      drift +
      company.beta * climate.market[t]! +
      company.industryPull * industryPath[t]! +
      smallness * climate.small[t]! +
      back +
      effect.reversal * lastWeek +
      ownShock +
      news +
      cut +
      (lastRow !== null ? -0.01 : 0)
    const overnightShock = random.normal()
    const range = [Math.abs(random.normal()), Math.abs(random.normal())] as const
    busy = 0.9 * busy + 0.25 * random.normal()
    if (suspended) {
      // The market moves on meanwhile; the first day of trading makes up for it.
      cut = Math.max(-0.5, Math.min(0.5, total - drift - ownShock))
      write(t, at, Number.NaN)
      continue
    }
    week[t % 5] = ownShock + news

    // 5. Prices.
    const limits = rules.limits(security, date, t - company.listedRow + 1, previous, st)
    const up = limits.up ?? Number.POSITIVE_INFINITY
    const down = Math.max(0.01, limits.down ?? 0.01)
    const tick = (price: number) => Math.min(up, Math.max(down, Math.round(price * 100) / 100))
    const wished = previous * Math.exp(total)
    const today = tick(wished)
    cut = Math.log(wished / today)
    cut = Math.abs(cut) < 0.004 ? 0 : cut * cutKept
    if (cut === 0) cutKept = 0.4
    const day = Math.max(shock, 0.6 * Math.abs(total - overnight * total))
    const open = tick(
      previous * Math.exp(overnight * total + Math.sqrt(overnight * (1 - overnight)) * shock * overnightShock + (cut === 0 ? 0 : 5 * cut)),
    )
    const high = tick(Math.max(open, today) * Math.exp(0.42 * day * range[0]))
    const low = tick(Math.min(open, today) * Math.exp(-0.42 * day * range[1]))
    const frozen = high === low
    const turnover =
      Math.min(
        0.6,
        company.turnover *
          climate.activity[t]! *
          Math.exp(busy + 0.35 * Math.min(4, Math.abs(total) / shock) - 0.42) *
          (t === company.listedRow ? 12 : 1),
      ) * (frozen ? 0.12 : 1)
    const volume = Math.max(100, Math.round((turnover * shares * floatRatio * 1e8) / 100) * 100)
    close = today
    columns.open[at] = open
    columns.high[at] = high
    columns.low[at] = low
    columns.pre_close[at] = previous
    columns.vol[at] = volume
    columns.amount[at] = Math.round(volume * ((open + high + low + 2 * today) / 5)) / 1e4
    columns.turnover[at] = volume / (shares * floatRatio * 1e8)
    sheet.traded[at] = 1
    write(t, at, today)
  }
  return { exDays, shares: changes, lastRow, knownRow }

  /** What is known every day, traded or not. */
  function write(t: number, at: number, price: number): void {
    const value = close * shares
    columns.close[at] = price
    columns.adj_factor[at] = factor
    columns.total_mv[at] = value
    columns.circ_mv[at] = value * floatRatio
    columns.is_st[at] = st ? 1 : 0
    columns.dv_ratio[at] = t - paidRow < 242 ? paidCash / close : 0
    if (book === null) return
    columns.pe_ttm[at] = book.profit > 0 ? value / book.profit : Number.NaN
    columns.pb[at] = value / book.equity
    columns.ps_ttm[at] = value / book.revenue
    columns.pcf_ttm[at] = book.cashFlow > 0 ? value / book.cashFlow : Number.NaN
    columns.roe_ttm[at] = book.profit / book.equity
    columns.or_yoy[at] = book.revenueGrowth
    columns.netprofit_yoy[at] = book.profitGrowth
    columns.grossprofit_margin[at] = book.grossMargin
    columns.debt_to_assets[at] = book.debt
  }
}

const dateOf = (row: number | null, calendar: readonly string[], later = 0): string | null =>
  row === null ? null : (calendar[row + later] ?? null)

function securityOf(company: Company): Security {
  return {
    code: company.code,
    name: company.name,
    pinyin: company.pinyin,
    board: company.board,
    listed: company.listed,
    delisted: null,
    lastDay: null,
    lastDayKnown: null,
    redemptionPrice: null,
    issuer: company.code,
    attributes: { industry_1: industries[company.industry]!.name, area: company.area, orgform: company.orgform },
  }
}
