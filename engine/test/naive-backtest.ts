import type { Parameters, Settings } from '@convexa/contract'
import type { Market } from '../src/market/market.ts'
import type { Panel, Security } from '../src/panel/panel.ts'

/**
 * The backtest again, slow and obvious: one security after the other, every number looked up anew, nothing shared with the
 * engine but the market's record. It knows the factors that are columns, `dblow` and 5-day changes, filters by comparison,
 * and everything of the day loop. The fast one must agree with it on random markets.
 */
export function naiveBacktest(
  panel: Panel,
  market: Market,
  parameters: Parameters,
  settings: Settings,
): { nav: number[]; trades: string[] } {
  const run = new Naive(panel, market, parameters, settings)
  return { nav: run.nav, trades: run.trades }
}

interface Position {
  units: number
  opened: number
  bought: number
  lastPrice: number
  factor: number
}

class Naive {
  readonly nav: number[] = []
  readonly trades: string[] = []
  readonly panel: Panel
  readonly market: Market
  readonly parameters: Parameters
  readonly settings: Settings
  readonly codes: string[]
  cash: number
  positions = new Map<string, Position>()
  toSell = new Map<string, string>()

  constructor(panel: Panel, market: Market, parameters: Parameters, settings: Settings) {
    this.panel = panel
    this.market = market
    this.parameters = parameters
    this.settings = settings
    this.codes = panel.securities.map((security) => security.code)
    this.cash = settings.capital * 10_000
    const start = panel.dates.findIndex((date) => date >= settings.start_date)
    let pending: Map<string, number> | null = null
    for (let t = start; t < panel.dates.length && (panel.dates[t] as string) <= settings.end_date; t++) {
      this.split(t)
      this.cleanUp(t)
      if (pending) {
        this.rebalance(t, pending, t - 1)
        pending = null
      } else if (settings.fill !== 'close') this.sellLeftOvers(t)
      this.lastDays(t)
      const signal = (t - start) % parameters.rebalance_method.rebalance_value === 0
      if (signal && settings.fill === 'close') this.rebalance(t, this.ranking(t), t)
      else if (signal) pending = this.ranking(t)
      else if (settings.fill === 'close') this.sellLeftOvers(t)
      let total = this.cash
      for (const [code, position] of this.positions) {
        const close = this.value('close', code, t)
        if (!Number.isNaN(close)) position.lastPrice = close
        total += position.units * position.lastPrice
      }
      this.nav.push(total / (settings.capital * 10_000))
    }
  }

  get waitsForRedemption(): boolean {
    return this.market.redeemed && this.settings.call_handling === 'hold_to_redemption'
  }

  get ideal(): boolean {
    return this.settings.execution === 'ideal'
  }

  at(code: string, t: number): number {
    return t * this.panel.stride + this.codes.indexOf(code)
  }

  value(field: string, code: string, t: number): number {
    if (t < 0) return Number.NaN
    const column = this.panel.columns.get(field)
    if (!column || this.panel.listed[this.at(code, t)] === 0) return Number.NaN
    return column[this.at(code, t)] as number
  }

  security(code: string): Security {
    return this.panel.securities[this.codes.indexOf(code)] as Security
  }

  isTraded(code: string, t: number): boolean {
    return this.panel.traded[this.at(code, t)] === 1
  }

  factor(key: string, code: string, t: number): number {
    if (key === 'dblow') return this.value('close', code, t) + 100 * this.value('conv_prem', code, t)
    if (key === 'formula: close/ref(close,5)-1') return this.value('close', code, t) / this.value('close', code, t - 5) - 1
    return this.value(key, code, t)
  }

  // ---- when a security leaves ----

  lastIndex(code: string): number {
    const day = this.security(code).lastDay
    return day === null ? Number.POSITIVE_INFINITY : this.panel.dates.indexOf(day)
  }

  exitIndex(code: string): number {
    const early = this.market.redeemed && this.settings.call_handling === 't_minus_1_close'
    return this.lastIndex(code) - (early ? 1 : 0)
  }

  isLeaving(code: string, t: number): boolean {
    const known = this.security(code).lastDayKnown
    const isKnown = this.ideal || (known !== null && known <= (this.panel.dates[t] as string))
    return isKnown && t >= this.exitIndex(code)
  }

  lastDays(t: number): void {
    if (this.waitsForRedemption) return
    for (const code of [...this.positions.keys()]) {
      if (this.isLeaving(code, t)) this.sell(code, t, Number.POSITIVE_INFINITY, 'last_day', 'close')
    }
  }

  cleanUp(t: number): void {
    for (const [code, position] of [...this.positions]) {
      if (t <= this.lastIndex(code) && this.panel.listed[this.at(code, t)] === 1) continue
      const redemption = this.security(code).redemptionPrice
      if (this.market.redeemed && redemption !== null) this.book(code, t, position.units, redemption, 0, 'called')
      else {
        const price = !this.market.redeemed && this.settings.delisting === 'zero' ? 0 : position.lastPrice
        this.book(code, t, position.units, price, this.fee('sell', code, t, price * position.units), 'delisted')
      }
    }
  }

  split(t: number): void {
    if (this.settings.adjust !== 'raw' || !this.market.roles.adjustment) return
    for (const [code, position] of this.positions) {
      const factor = this.value(this.market.roles.adjustment, code, t)
      if (!this.isTraded(code, t) || Number.isNaN(factor)) continue
      position.units *= factor / position.factor
      position.lastPrice /= factor / position.factor
      position.factor = factor
    }
  }

  // ---- prices and permissions ----

  fillPrice(code: string, t: number, fill = this.settings.fill): number {
    if (!this.isTraded(code, t)) return Number.NaN
    if (fill === 'next_open') return this.value('open', code, t)
    if (fill === 'next_vwap') return (this.value('amount', code, t) * 10_000) / (this.value('vol', code, t) * this.market.volumeUnit)
    return this.value('close', code, t)
  }

  limits(code: string, t: number) {
    const security = this.security(code)
    let previous = this.value('pre_close', code, t)
    if (!(previous > 0)) {
      previous = t > 0 ? (this.panel.columns.get('close')?.[this.at(code, t - 1)] as number) : Number.NaN
      const adjustment =
        this.settings.adjust === 'raw' && this.market.roles.adjustment ? this.panel.columns.get(this.market.roles.adjustment) : undefined
      if (adjustment && t > 0) previous *= (adjustment[this.at(code, t - 1)] as number) / (adjustment[this.at(code, t)] as number)
    }
    const listing = this.panel.dates.findIndex((date) => date >= (security.listed as string))
    const old = (security.listed as string) < (this.panel.dates[0] as string)
    const st = this.market.roles.st ? this.value(this.market.roles.st, code, t) > 0 : false
    return this.market.limits(security, this.panel.dates[t] as string, old ? 9999 : t - listing + 1, previous, st)
  }

  slack(): number {
    const tick = this.market.kind === 'cb' ? 0.001 : 0.01
    return this.settings.adjust === 'raw' ? tick / 100 : tick * 1.01
  }

  canBuy(code: string, t: number): boolean {
    const price = this.fillPrice(code, t)
    if (!(price > 0)) return false
    if (this.ideal) return true
    const { up } = this.limits(code, t)
    return up === null || price < up - this.slack()
  }

  canSell(code: string, t: number, fill = this.settings.fill): boolean {
    const price = this.fillPrice(code, t, fill)
    if (!(price > 0)) return false
    if (this.ideal) return true
    if (this.market.settlement === 1 && this.positions.get(code)?.bought === t) return false
    const { down } = this.limits(code, t)
    return down === null || price > down + this.slack()
  }

  rates(side: 'buy' | 'sell', code: string, t: number): { commission: number; tax: number } {
    const { cost } = this.settings
    const legal = this.market.fees(this.security(code), this.panel.dates[t] as string)
    if (side === 'buy') return { commission: cost.buy_rate, tax: this.ideal ? 0 : legal.transfer }
    const stamp = cost.stamp_tax ?? (this.ideal ? 0 : legal.stampSell)
    return { commission: cost.sell_rate, tax: stamp + (this.ideal ? 0 : legal.transfer) }
  }

  fee(side: 'buy' | 'sell', code: string, t: number, amount: number): number {
    if (amount <= 0) return 0
    const { commission, tax } = this.rates(side, code, t)
    const fee = Math.max(commission * amount, this.settings.cost.min_fee ?? 0) + tax * amount
    return side === 'sell' ? Math.min(fee, amount) : fee
  }

  mostUnits(code: string, t: number, price: number): number {
    const amount = this.value('amount', code, t)
    return this.ideal || Number.isNaN(amount) ? Number.POSITIVE_INFINITY : (amount * 10_000 * 0.1) / price
  }

  lots(code: string, t: number, units: number): number {
    const { min, step } = this.market.lot(this.security(code), this.panel.dates[t] as string)
    const whole = Math.floor(units / step + 1e-9) * step
    return whole < min ? 0 : whole
  }

  // ---- trades ----

  book(code: string, t: number, units: number, price: number, fee: number, reason: string): void {
    const position = this.positions.get(code) as Position
    this.cash += units * price - fee
    this.trades.push(`${this.panel.dates[t]} sell ${code} ${units.toFixed(6)} @${price.toFixed(6)} ${reason}`)
    position.units -= units
    if (position.units <= 1e-9) {
      this.positions.delete(code)
      this.toSell.delete(code)
    }
  }

  /** Sells units (Infinity: all); true when nothing is left. */
  sell(code: string, t: number, wanted: number, reason: string, fill = this.settings.fill): boolean {
    if (!this.canSell(code, t, fill)) return false
    const position = this.positions.get(code) as Position
    const price = this.fillPrice(code, t, fill) * (1 - (this.settings.cost.slippage ?? 0))
    const most = this.mostUnits(code, t, price)
    let units = Math.min(wanted, position.units)
    if (!this.ideal && !(wanted === Number.POSITIVE_INFINITY && units <= most)) units = this.lots(code, t, Math.min(units, most))
    if (units <= 0) return false
    this.book(code, t, units, price, this.fee('sell', code, t, units * price), reason)
    return !this.positions.has(code)
  }

  buy(code: string, t: number, wanted: number): void {
    if (!this.canBuy(code, t)) return
    const raw = this.fillPrice(code, t)
    const price = raw * (1 + (this.settings.cost.slippage ?? 0))
    const { commission, tax } = this.rates('buy', code, t)
    const least = this.settings.cost.min_fee ?? 0
    const afford = (cash: number) => {
      const amount = cash / (1 + commission + tax)
      return Math.max(0, commission * amount >= least ? amount : (cash - least) / (1 + tax))
    }
    let units: number
    if (this.ideal) units = Math.min(wanted, afford(this.cash)) / price
    else units = this.lots(code, t, Math.min(afford(Math.min(wanted, this.cash)) / price, this.mostUnits(code, t, price)))
    if (units * price < 1e-7) return
    const amount = units * price
    this.cash -= amount + this.fee('buy', code, t, amount)
    this.trades.push(`${this.panel.dates[t]} buy ${code} ${units.toFixed(6)} @${price.toFixed(6)}`)
    const position = this.positions.get(code) ?? { units: 0, opened: t, bought: t, lastPrice: raw, factor: 1 }
    position.units += units
    position.bought = t
    position.lastPrice = raw
    if (this.market.roles.adjustment) position.factor = this.value(this.market.roles.adjustment, code, t)
    this.positions.set(code, position)
  }

  sellLeftOvers(t: number): void {
    if (this.ideal) return
    for (const [code, reason] of [...this.toSell]) if (this.positions.has(code)) this.sell(code, t, Number.POSITIVE_INFINITY, reason)
  }

  // ---- the pool and its order ----

  inPool(code: string, t: number): boolean {
    const { exclude, universe, filter_factors } = this.parameters
    const security = this.security(code)
    if (this.panel.listed[this.at(code, t)] === 0) return false
    if (universe.markets.length > 0 && !universe.markets.includes(security.board)) return false
    if (exclude.suspended && !this.isTraded(code, t)) return false
    if (this.isLeaving(code, t)) return false
    if (exclude.st && this.market.roles.st && this.value(this.market.roles.st, code, t) === 1) return false
    const age = (Date.parse(this.panel.dates[t] as string) - Date.parse(security.listed as string)) / 86_400_000 + 1
    if (exclude.list_days > 0 && age <= exclude.list_days) return false
    if (this.market.kind === 'cb' && exclude.call_status?.includes('announced') && this.value('call_status', code, t) === 3) return false
    for (const row of filter_factors) {
      const value = this.factor(row.factor_key, code, t)
      const bound = row.value as number
      const satisfied = row.operation === 'gt' ? value > bound : value < bound
      if (row.action === 'exclude' && satisfied) return false
      if (row.action === 'keep' && !satisfied) return false
    }
    return true
  }

  /** Code → place, best first; the map's order is the ranking. */
  ranking(t: number): Map<string, number> {
    const { rank_factors } = this.parameters
    let pool = this.codes.filter((code) => this.inPool(code, t))
    for (const row of rank_factors) {
      if (row.missing_process === 'exclude') pool = pool.filter((code) => !Number.isNaN(this.factor(row.factor_key, code, t)))
    }
    const scores = new Map(pool.map((code) => [code, 0]))
    for (const row of rank_factors) {
      const known = pool.map((code) => this.factor(row.factor_key, code, t)).filter((value) => !Number.isNaN(value))
      const sorted = [...known].sort((a, b) => a - b)
      const half = sorted.length / 2
      const median = sorted.length % 2 === 1 ? sorted[Math.floor(half)] : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
      const value = (code: string) => {
        const own = this.factor(row.factor_key, code, t)
        const filled = Number.isNaN(own) ? (median as number) : own
        return row.prefer === 'small' ? filled : -filled
      }
      for (const code of pool) {
        const less = pool.filter((other) => value(other) < value(code)).length
        const equal = pool.filter((other) => value(other) === value(code)).length
        scores.set(code, (scores.get(code) as number) + row.weight * (less + (equal + 1) / 2))
      }
    }
    const order = [...pool].sort((a, b) => (scores.get(a) as number) - (scores.get(b) as number) || (a < b ? -1 : 1))
    return new Map(order.map((code, n) => [code, n + 1]))
  }

  // ---- rebalance ----

  rebalance(t: number, places: Map<string, number>, signalDay: number): void {
    const { hold_method: hold, universe, hold_days: leastDays } = this.parameters
    const waiting = new Set(this.toSell.keys())
    this.toSell.clear()
    const first = Math.max(1, hold.hold_range_start)
    const last = hold.hold_range_end
    const H = last - first + 1
    const place = (code: string) => places.get(code) ?? Number.POSITIVE_INFINITY
    const byPlace = (a: string, b: string) => (place(a) === place(b) ? (a < b ? -1 : 1) : place(a) - place(b))
    const perIssuer = universe.max_per_issuer ?? Number.POSITIVE_INFINITY
    const chosen: string[] = []
    const fits = (code: string) => chosen.filter((other) => this.security(other).issuer === this.security(code).issuer).length < perIssuer

    const held = [...this.positions.keys()]
    const young = held.filter(
      (code) => leastDays > 0 && t - (this.positions.get(code) as Position).opened < leastDays && this.isTraded(code, t),
    )
    chosen.push(...young.sort(byPlace))
    for (const code of held.filter((each) => !young.includes(each)).sort(byPlace)) {
      if (place(code) < first || place(code) > last + hold.hold_threshold) continue
      if (chosen.length < H && fits(code)) chosen.push(code)
    }
    const kept = chosen.length
    let free = H - kept
    for (const code of places.keys()) {
      if (free <= 0) break
      if (place(code) < first || chosen.includes(code) || !fits(code)) continue
      if (this.canBuy(code, t) && !this.isLeaving(code, t)) {
        chosen.push(code)
        free--
      } else if (hold.empty_slot === 'cash') free--
    }
    if (hold.hold_threshold === 0) chosen.sort(byPlace)

    const price = (code: string) => {
      const fill = this.fillPrice(code, t)
      return fill > 0 ? fill : (this.positions.get(code)?.lastPrice as number)
    }
    let equity = this.cash
    for (const [code, position] of this.positions) equity += position.units * price(code)
    const places2 = Math.max(H, chosen.length)
    const inOrder = [...chosen].sort(byPlace)
    const target = (code: string) => {
      const share = hold.hold_weight_type === 2 ? (places2 - inOrder.indexOf(code)) / ((places2 * (places2 + 1)) / 2) : 1 / places2
      return equity * share
    }
    for (const code of held) {
      if (chosen.includes(code)) continue
      // What was suspended when it was to be ranked is not judged anew.
      if (this.parameters.exclude.suspended && !this.isTraded(code, signalDay) && !waiting.has(code)) continue
      // What waits for its redemption is left alone on its last day.
      if (this.waitsForRedemption && this.isLeaving(code, signalDay) && !waiting.has(code)) continue
      if (!this.sell(code, t, Number.POSITIVE_INFINITY, 'out') && !this.ideal) this.toSell.set(code, 'out')
    }
    for (const code of chosen) {
      const position = this.positions.get(code)
      if (!position) continue
      const excess = position.units * price(code) - target(code)
      if (excess > 1e-7) this.sell(code, t, excess / price(code), 'down')
    }
    for (const code of chosen) {
      const now = (this.positions.get(code)?.units ?? 0) * (this.positions.has(code) ? price(code) : 0)
      if (target(code) - now > 1e-7) this.buy(code, t, target(code) - now)
    }
  }
}
