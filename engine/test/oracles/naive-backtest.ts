import type { Parameters, Settings } from '@convexa/contract'
import type { Market } from '../../src/market/market.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { weekdayAfter } from './naive-days.ts'
import type { NaiveOrder, NaivePosition, NaiveTrade } from './naive-position.ts'
import { NaiveRanking } from './naive-ranking.ts'

/**
 * The backtest again, slow and obvious: a loop over the days with plain objects, nothing shared with the engine but the market's
 * record of lots, limits and fees. The fast one must agree with it on random markets, trade by trade.
 */
export function naiveBacktest(
  panel: Panel,
  market: Market,
  parameters: Parameters,
  settings: Settings,
): { nav: number[]; trades: NaiveTrade[] } {
  const run = new Naive(panel, market, parameters, settings)
  run.simulate()
  return { nav: run.nav, trades: run.trades }
}

class Naive extends NaiveRanking {
  readonly nav: number[] = []
  readonly trades: NaiveTrade[] = []
  cash = 0
  positions = new Map<string, NaivePosition>()
  toSell = new Map<string, NaiveOrder>()
  tradedToday = new Map<string, number>()
  /** When each was last stopped: day, and half a day more at its close. */
  stopped = new Map<string, number>()

  simulate(): void {
    const { dates } = this.panel
    const { settings } = this
    this.cash = settings.capital * 10_000
    const start = dates.findIndex((date) => date >= settings.start_date)
    const orders = (t: number, pending: Map<string, number> | null) => (pending ? this.rebalance(t, pending, t - 1) : this.sellLeftOvers(t))
    let pending: Map<string, number> | null = null
    for (let t = start; t < dates.length && this.date(t) <= settings.end_date; t++) {
      this.tradedToday.clear()
      this.coupons(t)
      this.exDays(t)
      this.split(t)
      this.cleanUp(t)
      if (settings.fill === 'next_open' || settings.fill === 'next_vwap') orders(t, pending)
      if (this.parameters.stop_method.stop_type !== 4) this.stops(t)
      if (settings.fill === 'next_close') orders(t, pending)
      pending = null
      this.lastDays(t)
      if (this.parameters.stop_method.stop_type === 4) this.stops(t)
      const signal = this.isSignal(t, start)
      if (signal && settings.fill === 'close') this.rebalance(t, this.ranking(t), t)
      else if (signal) pending = this.ranking(t)
      else if (settings.fill === 'close') this.sellLeftOvers(t)
      let total = this.cash
      for (const [code, position] of this.positions) {
        const close = this.value('close', code, t)
        if (!Number.isNaN(close) && !position.claim) position.lastPrice = close
        total += position.units * position.lastPrice
      }
      this.nav.push(total / (settings.capital * 10_000))
    }
  }

  get waitsForRedemption(): boolean {
    return this.market.redeemed && this.settings.call_handling === 'hold_to_redemption'
  }

  /** With terms in the data a bond is never cash at its last price. */
  get keepsUnpaid(): boolean {
    const { securities } = this.panel
    const has = (known: (terms: NonNullable<(typeof securities)[number]['terms']>) => boolean) =>
      securities.some(({ terms }) => terms !== undefined && known(terms))
    return this.market.redeemed && has(({ valueDate }) => valueDate !== null) && has(({ coupons }) => coupons.some((each) => each !== null))
  }

  // ---- what happens to positions ----

  coupons(t: number): void {
    if (this.ideal || this.panel.kind !== 'cb' || this.settings.adjust !== 'raw') return
    for (const [code, position] of this.positions) {
      const { terms, lastDay } = this.security(code)
      if (terms?.maturityDate === null) continue
      const until = this.payment(code)?.until ?? lastDay ?? '9999-12-31'
      terms?.coupons.slice(0, -1).forEach((coupon, k) => {
        const due = `${Number(terms.valueDate?.slice(0, 4)) + k + 1}${terms.valueDate?.slice(4)}`
        if (coupon === null || due > this.date(t) || t === 0 || due <= this.date(t - 1) || due > until) return
        this.cash += position.units * coupon
        position.paid += position.units * coupon
        if (!position.claim) position.lastPrice -= coupon
      })
    }
  }

  /** Dividends in cash and new shares; of a suspended share when it trades again. */
  exDays(t: number): void {
    if (this.ideal || this.settings.adjust !== 'raw') return
    for (const [code, position] of this.positions) {
      if (!this.isTraded(code, t)) continue
      let from = t - 1
      while (from > position.opened && !this.isTraded(code, from)) from--
      for (const { date, cash, ratio } of this.security(code).exDays ?? []) {
        if (date > this.date(t) || date <= this.date(from)) continue
        this.cash += position.units * cash
        position.paid += position.units * cash
        if (ratio > 0) position.units = Math.max(position.units, Math.floor(position.units * (1 + ratio) + 1e-6))
        position.lastPrice = (position.lastPrice - cash) / (1 + ratio)
        position.wentEx = t
      }
    }
  }

  lastDays(t: number): void {
    for (const code of this.held) {
      if (this.waitsForRedemption && this.payment(code) !== null) continue
      if (this.isLeaving(code, t)) this.sell(code, t, Number.POSITIVE_INFINITY, 'last_day', this.fillPrice(code, t, 'close'))
    }
  }

  cleanUp(t: number): void {
    const claims = [...this.positions].filter(([, position]) => position.claim)
    const others = [...this.positions].filter(([, position]) => !position.claim)
    for (const [code, position] of [...claims, ...others]) {
      if (!position.claim && t <= this.lastIndex(code) && this.panel.listed[this.at(code, t)] === 1) continue
      const payment = this.market.redeemed ? this.payment(code) : null
      if (payment !== null && this.date(t) >= payment.paid) this.book(code, t, position.units, payment.price, 0, null)
      else if (payment !== null || this.keepsUnpaid) {
        position.claim = true
        if (payment !== null) position.lastPrice = payment.price
      } else {
        const price = !this.market.redeemed && this.settings.delisting === 'zero' ? 0 : position.lastPrice
        this.book(code, t, position.units, price, this.fee('sell', code, t, price * position.units), 'delisted')
      }
    }
  }

  get held(): string[] {
    return [...this.positions].filter(([, position]) => !position.claim).map(([code]) => code)
  }

  /** What a called bond pays, as the day and the amount; random markets trade on every weekday and nothing of theirs matures. */
  payment(code: string): { price: number; until: string; paid: string } | null {
    const { lastDay, redemptionPrice, exitReason, terms, board } = this.security(code)
    if (lastDay === null || (redemptionPrice === null && exitReason !== 'called')) return null
    const inShanghai = board === 'SSE_MAIN' || board === 'STAR'
    const third = weekdayAfter(lastDay, 3)
    const until = weekdayAfter(third >= (inShanghai ? '2022-08-12' : '2022-08-31') ? third : lastDay, 1)
    const paid = inShanghai ? until : weekdayAfter(until, 5)
    if (redemptionPrice !== null) return { price: redemptionPrice, until, paid }
    const years = (terms?.coupons ?? []).map((coupon, k) => {
      const since = `${Number(terms?.valueDate?.slice(0, 4)) + k}${terms?.valueDate?.slice(4)}`
      return { coupon, since, days: (Date.parse(until) - Date.parse(since)) / 86_400_000 }
    })
    const year = years.findLast(({ days }) => days >= 0)
    return year === undefined || year.coupon === null ? null : { price: 100 + (year.coupon * year.days) / 365, until, paid }
  }

  split(t: number): void {
    if (this.settings.adjust !== 'raw' || !this.market.roles.adjustment) return
    for (const [code, position] of this.positions) {
      const factor = this.value(this.market.roles.adjustment, code, t)
      if (!this.isTraded(code, t) || Number.isNaN(factor)) continue
      const isRecorded = !this.ideal && this.security(code).exDays !== undefined
      // What the record tells of, and rounding.
      if (isRecorded && (position.wentEx === t || Math.abs(factor / position.factor - 1) <= 0.0005)) position.factor = factor
      position.units *= factor / position.factor
      position.lastPrice /= factor / position.factor
      position.factor = factor
    }
  }

  // ---- stops ----

  stops(t: number): void {
    const { stop_type: type, take_profit = 0, stop_loss = 0, activate = 0, drawdown = 0, base: kind } = this.parameters.stop_method
    if (type === 0) return
    for (const [code, position] of [...this.positions]) {
      if (position.opened === t || !this.isTraded(code, t)) continue
      const [open, high, low, close] = ['open', 'high', 'low', 'close'].map((key) => this.value(key, code, t)) as [
        number,
        number,
        number,
        number,
      ]
      const base = kind === 'cost' ? (position.cost - position.paid) / position.units : this.previousClose(code, t)
      const up = base * (1 + take_profit)
      const down = base * (1 - stop_loss)
      const reaches = (price: number, level: number) => price > level - 1e-9 * level
      const sinks = (price: number, level: number) => price < level + 1e-9 * level
      const exit = (price: number, reason: string) => this.stop(code, t, price, reason)
      if (type === 4) {
        if (sinks(close, down)) exit(close, 'stop_loss')
        else if (reaches(close, up)) exit(close, 'take_profit')
      } else if (type === 5) this.trail(position, code, t, { open, high, low, close }, base, activate, drawdown, kind === 'cost')
      else {
        const losses = type !== 1
        const gains = type !== 2
        if (losses && sinks(open, down)) exit(open, 'stop_loss')
        else if (gains && reaches(open, up)) exit(open, 'take_profit')
        else if (losses && sinks(low, down)) exit(down, 'stop_loss')
        else if (gains && reaches(high, up)) exit(up, 'take_profit')
      }
    }
  }

  /** The day's path as far as it is known: open, then the low or not, then the high, then the close. */
  trail(
    position: NaivePosition,
    code: string,
    t: number,
    { open, high, low, close }: { open: number; high: number; low: number; close: number },
    base: number,
    activate: number,
    drawdown: number,
    since: boolean,
  ): void {
    const adjustment =
      this.settings.adjust === 'raw' && this.market.roles.adjustment ? this.value(this.market.roles.adjustment, code, t) : 1
    if (since && position.peak === null) position.peak = Math.max(base, this.previousClose(code, t)) * adjustment
    const before = since ? (position.peak as number) / adjustment : base
    if (since) position.peak = Math.max(position.peak as number, high * adjustment)
    const active = base * (1 + activate) * (1 - 1e-9)
    const steps: [peak: number, price: number, sold: (level: number) => number][] = [
      [before, open, () => open],
      [Math.max(before, open), low, (level) => level],
      [Math.max(before, open, high), close, (level) => level],
    ]
    for (const [peak, price, sold] of steps) {
      const level = peak * (1 - drawdown)
      if (peak < active || price > level * (1 + 1e-9)) continue
      this.stop(code, t, sold(level), 'trailing_stop')
      return
    }
  }

  stop(code: string, t: number, price: number, reason: string): void {
    const atClose = this.parameters.stop_method.stop_type === 4
    this.stopped.set(code, atClose ? t + 0.5 : t)
    const later = atClose && this.settings.fill !== 'close'
    if (later || !this.sell(code, t, Number.POSITIVE_INFINITY, reason, price)) this.toSell.set(code, { reason, isStop: true })
  }

  // ---- prices and permissions ----

  fillPrice(code: string, t: number, fill = this.settings.fill): number {
    if (!this.isTraded(code, t)) return Number.NaN
    if (fill === 'next_open') return this.value('open', code, t)
    if (fill === 'next_vwap') return (this.value('amount', code, t) * 10_000) / (this.value('vol', code, t) * this.market.volumeUnit)
    return this.value('close', code, t)
  }

  previousClose(code: string, t: number): number {
    const told = this.value('pre_close', code, t)
    if (told > 0 || t === 0) return told
    const before = this.panel.columns.get('close')?.[this.at(code, t - 1)] as number
    const adjustment =
      this.settings.adjust === 'raw' && this.market.roles.adjustment ? this.panel.columns.get(this.market.roles.adjustment) : undefined
    if (!adjustment) return before
    const step = (adjustment[this.at(code, t - 1)] as number) / (adjustment[this.at(code, t)] as number)
    // The exchange rounds what is left on an ex-day to the cent.
    return Math.abs(step - 1) <= 0.0005 ? before : Math.floor(before * step * 100 + 0.5 + 1e-6) / 100
  }

  /** 1 at the upper limit, −1 at the lower, 0 elsewhere; NaN: nobody can say. */
  standing(code: string, t: number, price: number): number {
    const security = this.security(code)
    const listing = this.panel.dates.findIndex((date) => date >= (security.listed as string))
    const old = (security.listed as string) < this.date(0)
    const st = this.market.roles.st ? this.value(this.market.roles.st, code, t) > 0 : false
    const rates = this.market.limitRates(security, this.date(t), old ? 9999 : t - listing + 1, st)
    if (rates === null) return 0
    const base = rates.base ?? this.previousClose(code, t)
    if (!(base > 0)) return t === 0 ? 0 : Number.NaN
    const day = ['open', 'high', 'low', 'close'].map((key) => this.value(key, code, t)).filter((one) => one > 0)
    const [most, least] = [Math.max(...day), Math.min(...day)]
    if (!this.isAdjusted) {
      const { decimals, tick } = this.market.id === 'cb' ? { decimals: 1000, tick: 0.001 } : { decimals: 100, tick: 0.01 }
      const rounded = (value: number) => Math.floor(value * decimals + 0.5 + 1e-6) / decimals
      const [up, down] = [rounded(base * (1 + rates.up)), rounded(base * (1 - rates.down))]
      if (most > up + 1.01 * tick || least < down - 1.01 * tick) return 0
      return price >= up - tick / 100 ? 1 : price <= down + tick / 100 ? -1 : 0
    }
    if (most / base > 1 + rates.up + 0.005 || least / base < 1 - rates.down - 0.005) return 0
    const isClose = price === this.value('close', code, t) && this.value('high', code, t) > 0 && this.value('low', code, t) > 0
    const width = isClose ? 0.003 : 0.0025
    if (price / base >= 1 + rates.up - width) return isClose && price < this.value('high', code, t) - 1e-6 ? 0 : 1
    if (price / base <= 1 - rates.down + width) return isClose && price > this.value('low', code, t) + 1e-6 ? 0 : -1
    return 0
  }

  /** Prices of a share that are taken as adjusted have no lots and no ticks. */
  get isAdjusted(): boolean {
    return this.market.roles.adjustment !== null && this.settings.adjust !== 'raw'
  }

  canBuy(code: string, t: number): boolean {
    const price = this.fillPrice(code, t)
    return price > 0 && (this.ideal || this.standing(code, t, price) < 1)
  }

  canSell(code: string, t: number, price: number): boolean {
    if (!(price > 0) || !this.isTraded(code, t)) return false
    return this.ideal || this.standing(code, t, price) !== -1
  }

  rates(side: 'buy' | 'sell', code: string, t: number): { commission: number; tax: number } {
    const { cost } = this.settings
    const legal = this.market.fees(this.security(code), this.date(t))
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

  /** A tenth of the day's turnover, less what has been traded of it already. */
  mostUnits(code: string, t: number, price: number): number {
    const amount = this.value('amount', code, t)
    if (this.ideal || Number.isNaN(amount)) return Number.POSITIVE_INFINITY
    return Math.max(0, amount * 10_000 * 0.1 - (this.tradedToday.get(code) ?? 0)) / price
  }

  lots(code: string, t: number, units: number): number {
    if (this.isAdjusted) return units
    const { min, step } = this.market.lot(this.security(code), this.date(t))
    const whole = Math.floor(units / step + 1e-9) * step
    return whole < min ? 0 : whole
  }

  // ---- trades ----

  tell(side: 'buy' | 'sell', code: string, t: number, volume: number, price: number, reason: string | null, pnl: number | null): void {
    this.trades.push({ date: this.date(t), side, code, volume, price, reason, pnl })
    this.tradedToday.set(code, (this.tradedToday.get(code) ?? 0) + volume * price)
  }

  book(code: string, t: number, units: number, price: number, fee: number, reason: string | null): void {
    const position = this.positions.get(code) as NaivePosition
    this.cash += units * price - fee
    const share = units / position.units
    this.tell('sell', code, t, units, price, reason, units * price - fee + (position.paid - position.cost) * share)
    position.cost -= position.cost * share
    position.paid -= position.paid * share
    position.units -= units
    if (position.units <= 1e-9) {
      this.positions.delete(code)
      this.toSell.delete(code)
    }
  }

  /** Sells units (Infinity: all) at a price before slippage; true when nothing is left. */
  sell(code: string, t: number, wanted: number, reason: string | null, raw = this.fillPrice(code, t)): boolean {
    if (!this.canSell(code, t, raw)) return false
    const position = this.positions.get(code) as NaivePosition
    const price = raw * (1 - (this.settings.cost.slippage ?? 0))
    const most = this.mostUnits(code, t, price)
    const locked = !this.ideal && this.market.settlement === 1 && position.bought === t ? position.added : 0
    let units = Math.min(wanted, position.units - locked)
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
    const paid = amount + this.fee('buy', code, t, amount)
    this.cash -= paid
    this.tell('buy', code, t, units, price, null, null)
    const position = this.positions.get(code) ?? {
      units: 0,
      cost: 0,
      paid: 0,
      opened: t,
      bought: t,
      added: 0,
      lastPrice: raw,
      factor: 1,
      wentEx: -1,
      peak: null,
      claim: false,
    }
    position.units += units
    position.cost += paid
    position.added = position.bought === t ? position.added + units : units
    position.bought = t
    position.lastPrice = raw
    if (this.market.roles.adjustment) position.factor = this.value(this.market.roles.adjustment, code, t)
    this.positions.set(code, position)
  }

  sellLeftOvers(t: number): void {
    for (const [code, { reason }] of [...this.toSell]) {
      if (this.positions.get(code)?.claim === false) this.sell(code, t, Number.POSITIVE_INFINITY, reason)
    }
  }

  // ---- rebalance ----

  rebalance(t: number, places: Map<string, number>, signalDay: number): void {
    const { hold_method: hold, universe, hold_days: leastDays } = this.parameters
    const waiting = new Map(this.toSell)
    this.toSell.clear()
    const { first, last } = this.placesOf(places.size)
    const H = last - first + 1
    const share = this.exposure(signalDay, [...places.keys()])
    const place = (code: string) => places.get(code) ?? Number.POSITIVE_INFINITY
    const byPlace = (a: string, b: string) => (place(a) === place(b) ? (a < b ? -1 : 1) : place(a) - place(b))
    const perIssuer = universe.max_per_issuer ?? Number.POSITIVE_INFINITY
    const chosen: string[] = []
    const fits = (code: string) => chosen.filter((other) => this.security(other).issuer === this.security(code).issuer).length < perIssuer
    // What was stopped after the signal, or by its own close, is not bought back by it; nothing is on the day of its stop.
    const isBarred = (code: string) => (this.stopped.get(code) ?? -1) > signalDay || Math.floor(this.stopped.get(code) ?? -1) === t

    const { held } = this
    if (share > 0) {
      const mine = held.filter((code) => !isBarred(code))
      const young = mine.filter(
        (code) => leastDays > 0 && t - (this.positions.get(code) as NaivePosition).opened < leastDays && this.isTraded(code, t),
      )
      chosen.push(...young.sort(byPlace))
      for (const code of mine.filter((each) => !young.includes(each)).sort(byPlace)) {
        if (place(code) < first || place(code) > last + hold.hold_threshold) continue
        if (chosen.length < H && fits(code)) chosen.push(code)
      }
      let free = H - chosen.length
      for (const code of places.keys()) {
        if (free <= 0) break
        if (place(code) < first || chosen.includes(code) || !fits(code)) continue
        if (this.canBuy(code, t) && !this.isLeaving(code, t) && !isBarred(code)) {
          chosen.push(code)
          free--
        } else if (hold.empty_slot === 'cash') free--
      }
      if (hold.hold_threshold === 0) chosen.sort(byPlace)
    }

    const price = (code: string) => {
      const fill = this.fillPrice(code, t)
      return fill > 0 ? fill : (this.positions.get(code)?.lastPrice as number)
    }
    let equity = this.cash
    for (const [code, position] of this.positions) equity += position.units * (position.claim ? position.lastPrice : price(code))
    const weights = this.weights(chosen, places, H, signalDay)
    const target = (code: string) => equity * (weights.get(code) as number) * share
    for (const code of held) {
      if (chosen.includes(code)) continue
      const isUnjudged =
        isBarred(code) ||
        // What was suspended when it was to be ranked is not judged anew.
        (this.parameters.exclude.suspended && this.isInMarket(code, signalDay) && !this.isTraded(code, signalDay)) ||
        // What waits for its redemption is left alone on its last day.
        (this.waitsForRedemption && this.isLeaving(code, signalDay))
      const order = isUnjudged ? waiting.get(code) : { reason: share === 0 ? 'timing' : null, isStop: false }
      if (!order) continue
      if (!this.sell(code, t, Number.POSITIVE_INFINITY, order.reason) && (!this.ideal || order.isStop)) this.toSell.set(code, order)
    }
    for (const code of chosen) {
      const position = this.positions.get(code)
      if (!position) continue
      const excess = position.units * price(code) - target(code)
      if (excess > 1e-12 * equity) this.sell(code, t, target(code) === 0 ? Number.POSITIVE_INFINITY : excess / price(code), null)
    }
    for (const code of chosen) {
      const now = (this.positions.get(code)?.units ?? 0) * (this.positions.has(code) ? price(code) : 0)
      if (target(code) - now > 1e-12 * equity && !this.isLeaving(code, t)) this.buy(code, t, target(code) - now)
    }
  }

  /** Not kept out of the pool by its board or the lists of codes, which come before its suspension. */
  isInMarket(code: string, t: number): boolean {
    const { markets, include_codes, exclude_codes } = this.parameters.universe
    if (this.panel.listed[this.at(code, t)] === 0) return false
    if (markets.length > 0 && !markets.includes(this.security(code).board)) return false
    return (!include_codes?.length || include_codes.includes(code)) && !exclude_codes.includes(code)
  }
}
