/**
 * Prices the demo bonds, one after the other, along their life cycles:
 *
 * 1. conversion value from the stock, bond value from the yield of the rating
 * 2. price = the larger of the two + time value, which follows mood, size, time left, the stock's risk, the call and the bond's own whims
 * 3. inside the price limits of the engine's own rules; open, high, low
 * 4. turnover by size, heat and spikes; holders convert when it pays or when the bond is called
 */
import { callState, callStatus, markets, redeemCounts, type Security, type StatementHistory } from '@convexa/engine'
import { daysBetween } from '../calendar.ts'
import type { ListSpan } from '../import/companions.ts'
import { strideFor } from '../store.ts'
import { type BondLife, liveBonds } from './bond-lives.ts'
import { announcementsOf, termsOf } from './bond-terms.ts'
import { fairPrice, presentValue, spreadOf, usualHope, usualTurnover, usualWidth, yieldToMaturity } from './bond-value.ts'
import type { Climate } from './climate.ts'
import { industries } from './industries.ts'
import { Random } from './random.ts'
import type { StockMarket } from './stocks.ts'

export interface BondMarket {
  readonly lives: readonly BondLife[]
  readonly securities: readonly Security[]
  readonly stride: number
  readonly columns: Record<BondKey, Float64Array | Float32Array>
  readonly listed: Uint8Array
  readonly traded: Uint8Array
  /** Statements of the companies that issued them. */
  readonly reports?: StatementHistory
}

const doubles = [
  'close',
  'open',
  'high',
  'low',
  'pre_close',
  'amount',
  'turnover',
  'conv_price',
  'close_stk',
  'conv_value',
  'conv_prem',
  'ytm',
  'pure_value',
  'remain_size',
  'left_years',
  'rating',
  'call_status',
  'pre_close_stk',
  'adj_factor_stk',
] as const
/** Columns of the stock that its bonds have too, by their keys there and here. */
const ofStock = [
  ['is_st', 'is_st_stk'],
  ['amount', 'amount_stk'],
  ['total_mv', 'total_mv'],
  ['circ_mv', 'circ_mv'],
  ['pb', 'pb'],
  ['pe_ttm', 'pe_ttm'],
  ['ps_ttm', 'ps_ttm'],
  ['dv_ratio', 'dv_ratio'],
  ['debt_to_assets', 'debt_to_assets'],
  ['roe_ttm', 'roe_ttm'],
  ['or_yoy', 'or_yoy'],
  ['netprofit_yoy', 'netprofit_yoy'],
  ['grossprofit_margin', 'grossprofit_margin'],
] as const
const singles = ['vol', 'vol_stk', 'roa_ttm', 'ocf_to_or', 'volatility_stk', ...ofStock.map(([, key]) => key)] as const
type BondKey = (typeof doubles)[number] | (typeof singles)[number]

export function simulateBonds(seed: number, climate: Climate, stocks: StockMarket, alive: number, later: readonly string[]): BondMarket {
  const { dates } = climate
  const lives = liveBonds(seed, climate, stocks, alive, later)
  const stride = strideFor(lives.length)
  const cells = dates.length * stride
  const columns = Object.fromEntries([
    ...doubles.map((key) => [key, new Float64Array(cells).fill(Number.NaN)]),
    ...singles.map((key) => [key, new Float32Array(cells).fill(Number.NaN)]),
  ]) as BondMarket['columns']
  const calendar = [...dates, ...later]
  const securities = lives.map((life) => securityOf(seed, life, stocks, calendar))
  const market: BondMarket = { lives, securities, stride, columns, listed: new Uint8Array(cells), traded: new Uint8Array(cells) }
  const risks = new Map<number, Float64Array>()
  for (const life of lives) {
    if (!risks.has(life.company)) risks.set(life.company, yearlyRisk(stocks, life.company, dates.length))
    priceBond(seed, life, climate, stocks, risks.get(life.company)!, market)
  }
  // Call statuses follow from closes and announcements by the engine, as of any market.
  const inputColumns = new Map(['close_stk', 'conv_price', 'vol_stk'].map((key) => [key, Float64Array.from(columns[key as BondKey])]))
  const counted = { ...market, dates, columns: inputColumns, callLists: demoCallLists(dates) }
  columns.call_status.set(callStatus(callState(counted, redeemCounts(counted)))!)
  return market
}

/** The lists of announcements of the demo market have all days. */
export const demoCallLists = (dates: readonly string[]): ListSpan[] => [[dates[0]!, dates.at(-1)!]]

/** Multiplier of the time value by the progress of the call: the nearer the end, the less it is worth to wait. */
const callDiscount = { none: 1, met: 0.65, notice: 0.5, announced: 0.1, executing: 0.02, maturity: 0.15 }
const discounts = Object.values(callDiscount)
const announced = 3
const usual = { shock: 0.012, memory: 0.996, noise: 0.0018, spikeMemory: 0.9 }
const coolingRules = '2022-08-01'

function priceBond(seed: number, life: BondLife, climate: Climate, stocks: StockMarket, risk: Float64Array, market: BondMarket): void {
  const { dates } = climate
  const { columns, stride } = market
  const random = new Random(seed, 'bond price', life.index)
  const flows = { coupons: life.coupons, maturityPrice: life.maturityPrice }
  const security = market.securities[life.index]!
  const first = Math.max(0, life.listedRow)
  const end = Math.min(dates.length, life.delistRow ?? dates.length)
  const maturityDays = daysBetween(dates[0]!, life.maturity)
  const stockColumns = stocks.columns

  let remain = life.size * (1 - life.converted)
  let whim = 0.13 * random.normal()
  let spike = 0
  let busy = 0
  let close = 100
  let stockClose = Number.NaN
  let ytm = 0.01
  let ratingAt = 0
  const accounts = stocks.accounts[life.company]!
  let accountAt = 0
  for (let t = life.firstRow; t < end; t++) {
    const from = t - life.firstRow
    const stockAt = t * stocks.stride + life.company
    const stockTrades = stocks.traded[stockAt] === 1
    if (stockTrades) stockClose = stockColumns.close[stockAt]!
    if (t < first) continue
    const at = t * stride + life.index
    const today = Math.min(from, life.status.length - 1)
    const convPrice = life.convPrice[today]!
    const status = life.status[today]!
    const count = life.count[today]!
    while (life.ratings[ratingAt + 1] !== undefined && life.ratings[ratingAt + 1]!.row <= t) ratingAt++
    const rating = life.ratings[ratingAt]!.rating
    const leftDays = maturityDays - daysSince(dates, t) + 1
    const years = Math.max(1 / 365, leftDays / 365)

    // 1. Worth in shares and as a bond.
    const convValue = (100 / convPrice) * stockClose
    const level = climate.baseYield[t]! + spreadOf(rating)
    const pure = presentValue(flows, years, level)

    // 2. Price.
    const calm = dates[t]! >= coolingRules
    const draws = [random.uniform(), random.uniform()] as const
    whim = usual.memory * whim + usual.shock * random.shock()
    spike *= usual.spikeMemory
    if (remain < 6 && draws[0] < (calm ? 0.0012 : 0.0035) * (2.5 / (0.8 + remain)))
      spike += (calm ? 0.05 : 0.08) + (calm ? 0.2 : 0.4) * draws[1] ** 2
    // A revision is worth its new price from the announcement on, if it is sure to come through in four cases of five.
    const revised = life.revision[today]!
    const worth = revised === revised && revised < convPrice ? convValue + 0.8 * ((100 / revised) * stockClose - convValue) : convValue
    const scarce = Math.min(1.6, Math.max(0.65, (6 / Math.max(0.3, remain)) ** 0.18))
    const yearlyStock = risk[t]! === risk[t]! ? risk[t]! : 0.44
    const patience = climate.mood[t]! * Math.exp(whim) * scarce * discounts[status]! * (status === 0 ? 1 - 0.028 * Math.min(14, count) : 1)
    const noise = usual.noise * random.normal()
    const calledPrice = status >= announced ? life.redemptionPrice! : 0
    const width = usualWidth * patience * Math.min(1.12, Math.sqrt(years / 4)) * (yearlyStock / 0.45)
    const fair =
      Math.max(fairPrice(worth, pure, Math.max(0.01, width), usualHope * patience), calledPrice * 0.999) *
      (1 + (status >= announced ? 0.1 : 1) * spike) *
      (1 + noise)

    // 3. Limits, open, high, low.
    const draw = [random.normal(), Math.abs(random.normal()), Math.abs(random.normal()), random.normal()] as const
    const gone = life.lastRow !== null && t > life.lastRow
    const trades = !gone && (stockTrades || t === life.lastRow || t === life.listedRow)
    market.listed[at] = 1
    if (trades) {
      const previous = close
      // On the panel's first day there is no close to start from: what is fair counts, without limits.
      const limits = t === 0 ? { up: null, down: null } : markets.cb.limits(security, dates[t]!, t - life.listedRow + 1, previous, false)
      const up = limits.up ?? Number.POSITIVE_INFINITY
      const down = limits.down ?? 0.001
      const tick = (price: number) => Math.min(up, Math.max(down, Math.round(price * 1_000) / 1_000))
      close = tick(fair)
      const before = t === 0 ? close : previous
      const move = Math.log(close / before)
      const span = 0.004 + 0.35 * Math.abs(move) + 0.15 * spike
      const open = tick(before * Math.exp(0.3 * move + 0.35 * span * draw[0]))
      const high = tick(Math.max(open, close) * Math.exp(0.55 * span * draw[1]))
      const low = tick(Math.min(open, close) * Math.exp(-0.55 * span * draw[2]))

      // 4. Turnover.
      busy = 0.85 * busy + 0.35 * draw[3]
      const heat = Math.exp(busy + Math.min(3, 18 * Math.abs(move)) - 0.35 + Math.max(0, Math.min(1.2, (worth - 110) / 40)))
      const turnover = Math.min(
        12,
        usualTurnover(remain) * climate.activity[t]! * heat * (1 + 18 * spike) * (t === life.listedRow ? 14 : 1),
      )
      const lots = Math.max(1, Math.round((turnover * remain * 1e8) / 1_000))
      const amount = Math.round(lots * 10 * ((open + high + low + 2 * close) / 5)) / 1e4
      columns.open[at] = open
      columns.high[at] = high
      columns.low[at] = low
      columns.pre_close[at] = before
      columns.close[at] = close
      columns.vol[at] = lots
      columns.amount[at] = amount
      columns.turnover[at] = amount / ((remain * close) / 100) / 1e4
      market.traded[at] = 1
      remain = Math.max(0.002 * life.size, remain * (1 - converting(life, t, status, close, convValue, draws[1])))
      ytm = yieldToMaturity(flows, years, close, ytm)
    }
    columns.conv_price[at] = convPrice
    columns.close_stk[at] = stockClose
    columns.conv_value[at] = convValue
    columns.conv_prem[at] = close / convValue - 1
    columns.ytm[at] = ytm
    columns.pure_value[at] = pure
    columns.remain_size[at] = remain
    columns.left_years[at] = leftDays / 365
    columns.rating[at] = rating
    columns.call_status[at] = status
    for (const [key, own] of ofStock) columns[own][at] = stockColumns[key][stockAt]!
    columns.pre_close_stk[at] = stockColumns.pre_close[stockAt]!
    columns.adj_factor_stk[at] = stockColumns.adj_factor[stockAt]!
    columns.vol_stk[at] = stockColumns.vol[stockAt]! / 100
    columns.roa_ttm[at] = stockColumns.roe_ttm[stockAt]! * (1 - stockColumns.debt_to_assets[stockAt]!)
    while (accounts[accountAt + 1] !== undefined && accounts[accountAt + 1]!.knownRow <= t) accountAt++
    const book = accounts[accountAt]
    columns.ocf_to_or[at] = book === undefined ? Number.NaN : book.cashFlow / book.revenue
    columns.volatility_stk[at] = risk[t]!
  }
}

/** Share of what is left that holders convert this day. */
function converting(life: BondLife, t: number, status: number, close: number, convValue: number, draw: number): number {
  if (life.ending === 'called' && status >= announced) {
    // What is left at the end is some 4 %.
    return 1 - 0.04 ** (1 / Math.max(8, life.lastRow! - life.knownRow! + 6))
  }
  const premium = close / convValue - 1
  if (t - life.listedRow < 110 || premium > 0.015) return 0
  return (convValue > 130 ? 0.006 : 0.002) * draw
}

/** Days since the first row. */
const daysSince = (() => {
  let known: readonly string[] = []
  let days: Int32Array = new Int32Array(0)
  return (dates: readonly string[], t: number): number => {
    if (known !== dates) {
      known = dates
      days = Int32Array.from(dates, (date) => daysBetween(dates[0]!, date))
    }
    return days[t]!
  }
})()

/** Deviation of a year's log returns × √242, from the 60th day of trading on. */
function yearlyRisk(stocks: StockMarket, company: number, days: number): Float64Array {
  const risk = new Float64Array(days).fill(Number.NaN)
  const year = new Float64Array(242)
  let count = 0
  let sum = 0
  let squares = 0
  for (let t = 0; t < days; t++) {
    const at = t * stocks.stride + company
    if (stocks.traded[at] === 1) {
      const slot = count % year.length
      if (count >= year.length) {
        sum -= year[slot]!
        squares -= year[slot]! ** 2
      }
      const change = Math.log(stocks.columns.close[at]! / stocks.columns.pre_close[at]!)
      year[slot] = change
      sum += change
      squares += change ** 2
      count++
    }
    const n = Math.min(count, year.length)
    if (n >= 60 && stocks.listed[at] === 1) risk[t] = Math.sqrt(((squares - (sum * sum) / n) / (n - 1)) * 242)
  }
  return risk
}

function securityOf(seed: number, life: BondLife, stocks: StockMarket, calendar: readonly string[]): Security {
  const stock = stocks.securities[life.company]!
  const dateOf = (row: number | null) => (row === null ? null : (calendar[row] ?? null))
  const number = String(life.index + 1).padStart(2, '0')
  return {
    code: life.code,
    name: `演示转债${number}`,
    pinyin: `yszz${number}`,
    board: stock.board,
    listed: life.listed,
    delisted: dateOf(life.delistRow),
    lastDay: dateOf(life.lastRow),
    lastDayKnown: dateOf(life.knownRow),
    redemptionPrice: life.redemptionPrice,
    issuer: stock.code,
    stockCode: stock.code,
    stockName: stock.name,
    attributes: {
      ...stock.attributes,
      industry_1: industries[stocks.companies[life.company]!.industry]!.name,
      issued: life.issued,
      maturity: life.maturity,
      issue_size: String(life.size),
    },
    terms: termsOf(seed, life),
    announcements: announcementsOf(seed, life, calendar),
  }
}
