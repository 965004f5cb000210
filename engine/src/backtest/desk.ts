import type { Settings } from '@convexa/contract'
import type { Market } from '../market/market.ts'
import { firstFrom } from '../panel/calendar.ts'
import { columnOf } from '../panel/derived.ts'
import type { Panel } from '../panel/panel.ts'
import type { Marks } from './marks.ts'
import { previousCloseOf } from './previous-close.ts'

/** Where orders are filled: the prices of the run's `fill`, and what may be traded of a security on a day. */
export interface Desk {
  /** Fill price before slippage; NaN = no trade that day. */
  price(security: number, day: number): number
  trades(security: number, day: number): boolean
  canBuy(security: number, day: number): boolean
  /** `at` is the price it would be sold at. */
  canSell(security: number, day: number, at: number): boolean
  /** Trading days from a buy until it may be sold. */
  readonly settlement: 0 | 1
  /** Units that `wanted` yuan buy at a price, with no more cash than there is; `traded` yuan of it have been traded that day. */
  buyUnits(security: number, day: number, price: number, wanted: number, cash: number, traded: number): number
  /** Units to sell of those held, when `wanted` would be; all of them when `closing`. */
  sellUnits(security: number, day: number, price: number, wanted: number, held: number, closing: boolean, traded: number): number
  buyFee(security: number, day: number, amount: number): number
  sellFee(security: number, day: number, amount: number): number
  /** What was filled in part for want of turnover, and days on which turnover was unknown. */
  readonly notes: { partial: number; unknownAmount: number }
  /** A sale that was not possible is tried again every day. */
  readonly retries: boolean
}

/** Raw price of a fill on a day, NaN where there is none. */
export type FillPrice = (security: number, day: number) => number

/** The price of a fill: the close, the open, or the average price of the day's turnover. */
export function fillPriceOf(panel: Panel, marks: Marks, market: Market, fill: Settings['fill']): FillPrice {
  const { stride } = panel
  if (fill === 'next_vwap') {
    const amount = panel.columns.get('amount') as Float64Array
    const volume = panel.columns.get('vol') as Float64Array
    // 成交额 is in 万元.
    const scale = 10_000 / market.volumeUnit
    return (i, t) => {
      const price = (amount[t * stride + i] * scale) / volume[t * stride + i]
      return price > 0 && price < Number.POSITIVE_INFINITY ? price : Number.NaN
    }
  }
  if (fill === 'next_open') {
    const open = panel.columns.get('open') as Float64Array
    return (i, t) => open[t * stride + i]
  }
  const { close, perDay, perSecurity, origin } = marks
  return (i, t) => close[t * perDay + i * perSecurity - origin]
}

/** What a textbook run pays for a buy and for a sale. */
export function idealRates(cost: Settings['cost']): { readonly buying: Rates; readonly selling: Rates } {
  const least = cost.min_fee ?? 0
  return {
    buying: { rate: cost.buy_rate, tax: 0, least },
    selling: { rate: cost.sell_rate, tax: cost.stamp_tax ?? 0, least },
  }
}

/** What the textbook needs: fractions of units, no limits, cost = rate × value (reference rules 6–8). */
export function idealDesk({ traded, perDay, perSecurity, origin }: Marks, price: FillPrice, cost: Settings['cost']): Desk {
  const trades = (i: number, t: number) => traded[t * perDay + i * perSecurity - origin] === 1
  const { buying, selling } = idealRates(cost)
  return {
    price,
    trades,
    canBuy: (i, t) => trades(i, t) && price(i, t) > 0,
    settlement: 0,
    canSell: (i, t, at) => trades(i, t) && at > 0,
    buyUnits: (_i, _t, at, wanted, cash) => Math.min(wanted, affordable(cash, buying)) / at,
    sellUnits: (_i, _t, _at, wanted, held, closing) => (closing ? held : wanted),
    buyFee: (_i, _t, amount) => feeOf(amount, buying),
    sellFee: (_i, _t, amount) => saleFee(amount, selling),
    notes: { partial: 0, unknownAmount: 0 },
    retries: false,
  }
}

/** Share of a day's turnover that may be traded. */
const volumeCap = 0.1

/**
 * What an exchange allows: board lots, the price limits of the day, settlement, fees by date, and no more than a tenth
 * of the day's turnover. Buying at the upper limit and selling at the lower one is impossible: nobody is on the other side.
 */
export function realisticDesk(panel: Panel, marks: Marks, market: Market, price: FillPrice, settings: Settings): Desk {
  const { stride, securities, dates } = panel
  const { traded, perDay, perSecurity, origin } = marks
  const { cost } = settings
  const amount = panel.columns.get('amount') ?? null
  const st = market.roles.st ? (columnOf(panel, market.roles.st) ?? null) : null
  const adjustment = settings.adjust === 'raw' && market.roles.adjustment ? (panel.columns.get(market.roles.adjustment) ?? null) : null
  const listed = listingDays(panel)
  // Adjusted prices are off the tick: a price within one tick of the limit counts as at it.
  const slack = 10 ** -market.tickDecimals * (settings.adjust === 'raw' ? 0.01 : 1.01)
  const notes = { partial: 0, unknownAmount: 0 }

  const previousClose = previousCloseOf(panel, adjustment)
  const limits = (i: number, t: number) =>
    market.limits(securities[i], dates[t], t - listed[i] + 1, previousClose(i, t), st !== null && st[t * stride + i] > 0)
  const trades = (i: number, t: number) => traded[t * perDay + i * perSecurity - origin] === 1
  const rates = (i: number, t: number) => {
    const fees = market.fees(securities[i], dates[t])
    return {
      buying: { rate: cost.buy_rate, tax: fees.transfer, least: cost.min_fee ?? 0 },
      selling: { rate: cost.sell_rate, tax: (cost.stamp_tax ?? fees.stampSell) + fees.transfer, least: cost.min_fee ?? 0 },
    }
  }
  /** Units that the day's turnover still allows. */
  const allowed = (i: number, t: number, at: number, done: number): number => {
    const turnover = amount ? amount[t * stride + i] : Number.NaN
    if (turnover !== turnover) {
      notes.unknownAmount++
      return Number.POSITIVE_INFINITY
    }
    return Math.max(0, turnover * 10_000 * volumeCap - done) / at
  }
  return {
    price,
    trades,
    canBuy(i, t) {
      if (!trades(i, t) || !(price(i, t) > 0)) return false
      const { up } = limits(i, t)
      return up === null || price(i, t) < up - slack
    },
    settlement: market.settlement,
    canSell(i, t, at) {
      if (!trades(i, t) || !(at > 0)) return false
      const { down } = limits(i, t)
      return down === null || at > down + slack
    },
    buyUnits(i, t, at, wanted, cash, done) {
      const { buying } = rates(i, t)
      const units = affordable(Math.min(wanted, cash), buying) / at
      const most = allowed(i, t, at, done)
      if (most < units) notes.partial++
      return floorToLot(Math.min(units, most), market.lot(securities[i], dates[t]))
    },
    sellUnits(i, t, at, wanted, held, closing, done) {
      const lot = market.lot(securities[i], dates[t])
      const most = allowed(i, t, at, done)
      if (closing && held <= most) return held
      const units = closing ? held : Math.min(wanted, held)
      if (most < units) notes.partial++
      return floorToLot(Math.min(units, most), lot)
    },
    buyFee: (i, t, value) => feeOf(value, rates(i, t).buying),
    sellFee: (i, t, value) => saleFee(value, rates(i, t).selling),
    notes,
    retries: true,
  }
}

/** By security: the day of its listing; long before the first where it was listed before or nobody knows. */
function listingDays({ dates, securities, listed }: Panel): Int32Array {
  const known = listings.get(listed)
  if (known) return known
  const days = Int32Array.from(securities, (security) =>
    security.listed === null || security.listed < dates[0] ? -100_000 : firstFrom(dates, security.listed),
  )
  listings.set(listed, days)
  return days
}

// A run and its sweeps have some thirty desks on one panel.
const listings = new WeakMap<Uint8Array, Int32Array>()

export interface Rates {
  readonly rate: number
  readonly tax: number
  /** Least commission of an order, yuan. */
  readonly least: number
}

export function feeOf(amount: number, { rate, tax, least }: Rates): number {
  return amount > 0 ? Math.max(rate * amount, least) + tax * amount : 0
}

/** A broker takes the least commission out of the proceeds: a sale never costs more than it brings, and cash never falls below zero. */
export const saleFee = (amount: number, rates: Rates): number => Math.min(amount, feeOf(amount, rates))

/** The largest amount that can be paid for with its fee out of the cash. */
export function affordable(cash: number, { rate, tax, least }: Rates): number {
  const amount = cash / (1 + rate + tax)
  if (rate * amount >= least) return Math.max(0, amount)
  return Math.max(0, (cash - least) / (1 + tax))
}

/** Down to the smallest order and its step; a hair is added so that 99.9999999 of 100 is 100. */
function floorToLot(units: number, lot: { min: number; step: number }): number {
  const whole = Math.floor(units / lot.step + 1e-9) * lot.step
  return whole >= lot.min ? whole : 0
}
