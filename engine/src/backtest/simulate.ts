import type { Parameters, Settings } from '@convexa/contract'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { placesOf, type Recipe } from '../screen/recipe.ts'
import { type SelectionRules, select } from '../screen/select.ts'
import { weigh } from '../screen/weigh.ts'
import type { Desk } from './desk.ts'
import { type Exits, leaves } from './exits.ts'
import { type Cause, type Fill, Portfolio } from './portfolio.ts'
import { DayRanking, type Rankings } from './rankings.ts'

/** What a simulation reads. Days are indices of the panel's dates. */
export interface Simulation {
  readonly panel: Panel
  readonly market: Market
  readonly parameters: Parameters
  readonly settings: Settings
  readonly recipe: Recipe
  readonly rankings: Rankings
  readonly exits: Exits
  /** Orders of the ranking are filled here; forced exits at the close. */
  readonly desk: Desk
  readonly closeDesk: Desk
  readonly first: number
  readonly last: number
  readonly issuer: Int32Array
}

/** What happened, day by day, in yuan; index 0 is the first day of the run. */
export interface Ledger {
  readonly first: number
  readonly capital: number
  readonly equity: Float64Array
  readonly cash: Float64Array
  /** Equity before the day's trades, at its closes. */
  readonly before: Float64Array
  readonly bought: Float64Array
  readonly sold: Float64Array
  readonly fees: Float64Array
  readonly slippage: Float64Array
  /** Row of the rankings made that day, −1 on other days. */
  readonly signal: Int32Array
  readonly fills: readonly Fill[]
  /** Positions after each close: those of day t are [from[t], from[t + 1]). */
  readonly positions: {
    readonly from: Int32Array
    readonly security: readonly number[]
    readonly units: readonly number[]
    readonly cost: readonly number[]
    readonly price: readonly number[]
    readonly opened: readonly number[]
    /** Units that the day's adjustment added (送转、分红折算). */
    readonly added: readonly number[]
    /** 1 while it waits for a sale that was not possible. */
    readonly waiting: readonly number[]
  }
  /** By security: gain in yuan, closed and open. */
  readonly gain: Float64Array
  readonly warnings: readonly string[]
}

// A trade smaller than this share of equity is a rounding of the target, not a trade.
const dust = 1e-12

/** What a simulation tells after each day: the same object every time, `nav` relative to the capital so far. */
export interface SimulatedDay {
  t: number
  readonly nav: Float64Array
  hold: number
  /** Of that day. */
  trades: number
}

/**
 * The day loop (domain.md 5.3). On each day:
 *
 * 1. Adjust units where raw prices are split; settle what trades no more.
 * 2. Fill the orders of yesterday's signal, when the fill is not the close.
 * 3. Forced exits at the close.
 * 4. On a signal day filled at the close: sell, then buy. Sales that were not possible are tried again on other days.
 * 5. Value at the close, write the ledger.
 *
 * Yields after each day.
 */
export function* simulate(run: Simulation): Generator<SimulatedDay, Ledger> {
  const { panel, settings, rankings, desk, exits, first, last } = run
  const days = last - first + 1
  const { stride, securities } = panel
  const close = panel.columns.get('close') as Float64Array
  const capital = settings.capital * 10_000
  const portfolio = new Portfolio(capital, securities.length)
  const adjustment = adjustmentOf(run)
  const atClose = settings.fill === 'close'
  const rebalance = rebalancer(run, portfolio)
  const warnings: string[] = []

  const ledger = {
    equity: new Float64Array(days),
    cash: new Float64Array(days),
    before: new Float64Array(days),
    bought: new Float64Array(days),
    sold: new Float64Array(days),
    fees: new Float64Array(days),
    slippage: new Float64Array(days),
    signal: new Int32Array(days).fill(-1),
  }
  for (let row = 0; row < rankings.days.length; row++) ledger.signal[rankings.days[row] - first] = row
  const from = new Int32Array(days + 1)
  const security: number[] = []
  const units: number[] = []
  const cost: number[] = []
  const price: number[] = []
  const opened: number[] = []
  const added: number[] = []
  const waiting: number[] = []

  const told: SimulatedDay = { t: first, nav: new Float64Array(days), hold: 0, trades: 0 }
  let pending = -1
  for (let t = first; t <= last; t++) {
    const day = t - first
    portfolio.startDay()
    const tradesBefore = portfolio.fills.length
    const grown = adjustment ? adjust(portfolio, adjustment, panel, t) : null
    ledger.before[day] = valueAt(portfolio, close, t * stride)
    settle(run, portfolio, t, warnings)
    if (pending >= 0) {
      rebalance.trade(pending, t)
      pending = -1
    } else if (desk.retries && !atClose) rebalance.retry(t)
    if (!exits.waits) forceExits(run, portfolio, t)
    const row = ledger.signal[day]
    if (row >= 0 && atClose) rebalance.trade(row, t)
    else if (row >= 0) pending = row
    else if (desk.retries && atClose) rebalance.retry(t)

    const value = mark(portfolio, close, t * stride)
    ledger.equity[day] = portfolio.cash + value
    ledger.cash[day] = portfolio.cash
    ledger.bought[day] = portfolio.boughtAmount
    ledger.sold[day] = portfolio.soldAmount
    ledger.fees[day] = portfolio.fees
    ledger.slippage[day] = portfolio.slippage
    for (const i of portfolio.held) {
      security.push(i)
      units.push(portfolio.units[i])
      cost.push(portfolio.cost[i])
      price.push(portfolio.price[i])
      opened.push(portfolio.opened[i])
      added.push(grown?.get(i) ?? 0)
      waiting.push(rebalance.waits(i) ? 1 : 0)
    }
    from[day + 1] = security.length
    told.t = t
    told.nav[day] = ledger.equity[day] / capital
    told.hold = portfolio.held.length
    told.trades = portfolio.fills.length - tradesBefore
    yield told
  }

  const gain = portfolio.flow
  for (const i of portfolio.held) gain[i] += portfolio.units[i] * portfolio.price[i]
  if (desk.notes.partial > 0) warnings.push(`有 ${desk.notes.partial} 笔委托超过当日成交额的 10%，只成交了一部分`)
  if (desk.notes.unknownAmount > 0) warnings.push('部分日期缺少成交额，未限制单笔成交占比')
  return {
    first,
    capital,
    ...ledger,
    fills: portfolio.fills,
    positions: { from, security, units, cost, price, opened, added, waiting },
    gain,
    warnings,
  }
}

/** Values every position at the day's close (carried over suspensions) and returns their sum. */
function mark(portfolio: Portfolio, close: Float64Array, row: number): number {
  let value = 0
  for (const i of portfolio.held) {
    const price = close[row + i]
    if (price === price) portfolio.price[i] = price
    value += portfolio.units[i] * portfolio.price[i]
  }
  return value
}

function valueAt(portfolio: Portfolio, close: Float64Array, row: number): number {
  let value = portfolio.cash
  for (const i of portfolio.held) {
    const price = close[row + i]
    value += portfolio.units[i] * (price === price ? price : portfolio.price[i])
  }
  return value
}

function adjustmentOf({ market, panel, settings }: Simulation): Float64Array | null {
  if (settings.adjust !== 'raw' || market.roles.adjustment === null) return null
  return panel.columns.get(market.roles.adjustment) ?? null
}

/**
 * Dividends and splits of raw prices: units grow with the adjustment factor, as if cash dividends were reinvested at the close
 * before. Applied on the first day that trades at the new price. Returns what was added, by security.
 */
function adjust(portfolio: Portfolio, factor: Float64Array, panel: Panel, t: number): Map<number, number> | null {
  let grown: Map<number, number> | null = null
  const row = t * panel.stride
  for (const i of portfolio.held) {
    const now = factor[row + i]
    const old = portfolio.adjustment[i]
    if (panel.traded[row + i] === 0 || now !== now) continue
    portfolio.adjustment[i] = now
    if (old !== old || now === old) continue
    const ratio = now / old
    grown ??= new Map()
    grown.set(i, portfolio.units[i] * (ratio - 1))
    portfolio.units[i] *= ratio
    portfolio.price[i] /= ratio
  }
  return grown
}

const unranked = { ranking: -1, weightFrom: Number.NaN, weightTo: Number.NaN }

/**
 * A security whose last day is over while it is still held: redeemed at its redemption price where bonds are redeemed and the
 * price is known; else out at its last price, or at nothing where `delisting` says so (shares).
 */
function settle({ panel, market, settings, exits, desk }: Simulation, portfolio: Portfolio, t: number, warnings: string[]): void {
  for (const i of [...portfolio.held]) {
    const over = t > exits.last[i] || panel.listed[t * panel.stride + i] === 0
    if (!over) continue
    const { redemptionPrice, name, code } = panel.securities[i]
    if (market.redeemed && redemptionPrice !== null) {
      portfolio.sell(t, i, redemptionPrice, portfolio.units[i], 0, 0, {
        reason: atMaturity(panel, market, exits, i) ? 'matured' : 'called',
        ...unranked,
      })
      continue
    }
    const lost = !market.redeemed && settings.delisting === 'zero'
    const price = lost ? 0 : portfolio.price[i]
    const fee = desk.sellFee(i, t, price * portfolio.units[i])
    portfolio.sell(t, i, price, portfolio.units[i], fee, 0, { reason: 'delisted', ...unranked })
    warnings.push(`${panel.dates[t]} ${name}（${code}）已无行情，按${lost ? '零值' : '最后价格'}退出`)
  }
}

function atMaturity(panel: Panel, market: Market, exits: Exits, i: number): boolean {
  const status = panel.columns.get('call_status')
  const values = market.fields.find((field) => field.key === 'call_status')?.values
  const day = Math.min(exits.last[i], panel.dates.length - 1)
  return status !== undefined && values !== undefined && values[status[day * panel.stride + i]] === 'maturity'
}

function forceExits({ exits, closeDesk, settings }: Simulation, portfolio: Portfolio, t: number): void {
  for (const i of [...portfolio.held]) {
    if (leaves(exits, i, t)) sellAt(closeDesk, settings, portfolio, t, i, portfolio.units[i], true, { reason: 'last_day', ...unranked })
  }
}

/** Sells units as the desk allows; true when the position is closed. */
function sellAt(
  desk: Desk,
  settings: Settings,
  portfolio: Portfolio,
  t: number,
  i: number,
  wanted: number,
  closing: boolean,
  cause: Cause,
): boolean {
  if (!desk.canSell(i, t, portfolio.bought[i])) return false
  const raw = desk.price(i, t)
  const slip = settings.cost.slippage ?? 0
  const price = raw * (1 - slip)
  const units = desk.sellUnits(i, t, price, wanted, portfolio.units[i], closing)
  if (!(units > 0)) return false
  portfolio.sell(t, i, price, units, desk.sellFee(i, t, price * units), raw * slip * units, cause)
  return portfolio.units[i] === 0
}

interface Rebalancer {
  trade(row: number, t: number): void
  retry(t: number): void
  waits(security: number): boolean
}

/** Turns a ranking into trades: selection, weights, sells, then buys in the order of the selection. */
function rebalancer(run: Simulation, portfolio: Portfolio): Rebalancer {
  const { parameters, settings, rankings, recipe, desk, exits, panel } = run
  const { hold_method: hold, hold_days: leastDays } = parameters
  const ranked = new DayRanking(rankings)
  const slip = settings.cost.slippage ?? 0
  const adjustment = adjustmentOf(run)
  /** What is to be sold as soon as it can be, and why. */
  const out = new Map<number, Cause>()

  const trade = (row: number, t: number): void => {
    ranked.open(row)
    out.clear()
    const places = placesOf(recipe.holdRange, ranked.size)
    const rules: SelectionRules = {
      ...places,
      buffer: hold.hold_threshold,
      perIssuer: parameters.universe.max_per_issuer ?? 0,
      issuer: run.issuer,
      emptySlot: hold.empty_slot,
    }
    const stays = (i: number) => leastDays > 0 && t - portfolio.opened[i] < leastDays && panel.traded[t * panel.stride + i] === 1
    const canBuy = (i: number) => desk.canBuy(i, t) && !leaves(exits, i, t)
    const selection = select(ranked, rules, portfolio.held, stays, canBuy)
    const weights = weightsOf(selection, row, places.last - places.first + 1)
    const equity = equityAt(t)

    const chosen = new Map(selection.map((i, n) => [i, weights[n]]))
    for (const i of [...portfolio.held]) {
      if (chosen.has(i)) continue
      const cause: Cause = { reason: reasonOf(row, i), ranking: row, weightFrom: Number.NaN, weightTo: Number.NaN }
      if (!sellAt(desk, settings, portfolio, t, i, portfolio.units[i], true, cause) && desk.retries) out.set(i, cause)
    }
    for (const [i, weight] of chosen) {
      if (portfolio.units[i] === 0) continue
      const price = priceAt(i, t)
      const excess = portfolio.units[i] * price - equity * weight
      if (excess <= dust * equity) continue
      sellAt(desk, settings, portfolio, t, i, excess / price, false, rebalanceCause(row, portfolio.units[i] * price, equity, weight))
    }
    for (const [i, weight] of chosen) {
      const held = portfolio.units[i] * priceAt(i, t)
      const wanted = equity * weight - held
      if (wanted <= dust * equity || !desk.canBuy(i, t)) continue
      const raw = desk.price(i, t)
      const price = raw * (1 + slip)
      const units = desk.buyUnits(i, t, price, wanted, portfolio.cash)
      if (!(units * price > dust * equity)) continue
      const cause: Cause =
        held > 0 ? rebalanceCause(row, held, equity, weight) : { reason: 'enter', ranking: row, weightFrom: Number.NaN, weightTo: weight }
      portfolio.buy(t, i, price, units, desk.buyFee(i, t, price * units), raw * slip * units, cause)
      portfolio.price[i] = raw
      if (adjustment) portfolio.adjustment[i] = adjustment[t * panel.stride + i]
    }
  }

  const priceAt = (i: number, t: number): number => {
    const price = panel.traded[t * panel.stride + i] === 1 ? desk.price(i, t) : Number.NaN
    return price > 0 ? price : portfolio.price[i]
  }

  const equityAt = (t: number): number => {
    let equity = portfolio.cash
    for (const i of portfolio.held) equity += portfolio.units[i] * priceAt(i, t)
    return equity
  }

  const weightsOf = (selection: readonly number[], row: number, places: number): Float64Array => {
    const order = selection.map((i) => i).sort((a, b) => (ranked.place(a) || never) - (ranked.place(b) || never) || a - b)
    const { weight, count } = rankings
    const values = Float64Array.from(selection, (i) => (weight ? weight[row * count + i] : 1))
    return weigh(
      hold.hold_weight_type,
      selection.length,
      Math.max(places, selection.length),
      hold.hold_max_weight,
      selection.map((i) => order.indexOf(i)),
      values,
    )
  }

  const reasonOf = (row: number, i: number): Cause['reason'] => {
    const failed = rankings.fail[row * rankings.count + i]
    if (failed === 0) return 'rank_out'
    const { key } = rankings.rules[failed - 1]
    if (key.startsWith('missing.')) return 'missing'
    return key === 'exclude.last_day' ? 'last_day' : 'excluded'
  }

  return {
    trade,
    retry(t) {
      for (const [i, cause] of out) {
        if (portfolio.units[i] === 0 || sellAt(desk, settings, portfolio, t, i, portfolio.units[i], true, cause)) out.delete(i)
      }
    },
    waits: (i) => out.has(i),
  }
}

const never = Number.MAX_SAFE_INTEGER

function rebalanceCause(row: number, value: number, equity: number, weight: number): Cause {
  return { reason: 'rebalance', ranking: row, weightFrom: value / equity, weightTo: weight }
}
