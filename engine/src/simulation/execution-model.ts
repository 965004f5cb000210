import type { Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { fills as fillModes } from '@convexa/contract/enums/fill'
import { columnOf } from '../market/derived-columns.ts'
import type { Market } from '../market/market.ts'
import { areAdjusted, priceLimitsOf } from '../market/price-limits.ts'
import type { Panel } from '../panel/panel.ts'
import type { MarkPrices } from './mark-prices.ts'
import { previousCloseOf } from './previous-close.ts'

/**
 * The execution model: fill prices before slippage, what may be traded of a security on a day, lots, fees and the share of turnover that an
 * order may take.
 */
export interface ExecutionModel {
  /** Fill price before slippage; NaN = no trade that day. */
  price(security: number, day: number): number
  trades(security: number, day: number): boolean
  canBuy(security: number, day: number): boolean
  /** Why one that trades and has a price cannot be bought. */
  whyNot(security: number, day: number): 'limit_up' | 'no_reference'
  /** `at` is the price it would be sold at. */
  canSell(security: number, day: number, at: number): boolean
  /** Trading days from a buy until it may be sold. */
  readonly settlement: 0 | 1
  /**
   * Units that `wanted` yuan buy at a price, with no more cash than there is; `traded` yuan of it have been traded that day. Ideal execution
   * adds the fee to `wanted` (reference rule 6), the realistic one pays it out of `wanted`.
   */
  buyUnits(security: number, day: number, price: number, wanted: number, cash: number, traded: number): number
  /** Units to sell of those held, when `wanted` would be; all of them when `closing`. */
  sellUnits(security: number, day: number, price: number, wanted: number, position: number, closing: boolean, traded: number): number
  buyFee(security: number, day: number, amount: number): number
  sellFee(security: number, day: number, amount: number): number
  /** Number of partial fills (orders above the share of the day's turnover), and of orders on days whose turnover is unknown. */
  readonly notes: Notes
  /** A sale that was not possible is tried again every day. */
  readonly retries: boolean
}

interface Notes {
  partial: number
  unknownAmount: number
  /** Cells of the panel whose limits were judged on adjusted prices of a few cents. */
  readonly coarse: Set<number>
}

/** Price of a fill on a day, before slippage; NaN where there is none. `rebalance.ts` adds slippage to buys, `sell.ts` takes it off sales. */
export type FillPrice = (security: number, day: number) => number

/** The price of a fill: the close, the open, or the average price of the day's turnover. */
export function fillPriceOf(panel: Panel, marks: MarkPrices, market: Market, fill: Settings['fill']): FillPrice {
  const { stride } = panel
  switch (fillModes[fill].price) {
    case 'average': {
      const amount = panel.columns.get('amount') as Float64Array
      const volume = panel.columns.get('vol') as Float64Array
      // 成交额 is in 万元.
      const scale = 10_000 / market.volumeUnit
      return (i, t) => {
        const price = (amount[t * stride + i] * scale) / volume[t * stride + i]
        return price > 0 && price < Number.POSITIVE_INFINITY ? price : Number.NaN
      }
    }
    case 'open': {
      const open = panel.columns.get('open') as Float64Array
      return (i, t) => open[t * stride + i]
    }
    case 'close': {
      const { close, perDay, perSecurity, origin } = marks
      return (i, t) => close[t * perDay + i * perSecurity - origin]
    }
  }
}

/** What a textbook run pays for a buy and for a sale. */
export function idealRates(cost: Settings['cost']): { readonly buying: Rates; readonly selling: Rates } {
  const least = cost.min_fee ?? 0
  return {
    buying: { rate: cost.buy_rate, tax: 0, least },
    selling: { rate: cost.sell_rate, tax: cost.stamp_tax ?? 0, least },
  }
}

/** Textbook execution: fractions of units, no limits, cost = rate × value (reference rules 6–8). */
export function idealExecution(
  { traded, perDay, perSecurity, origin }: MarkPrices,
  price: FillPrice,
  cost: Settings['cost'],
): ExecutionModel {
  const trades = (i: number, t: number) => traded[t * perDay + i * perSecurity - origin] === 1
  const { buying, selling } = idealRates(cost)
  return {
    price,
    trades,
    canBuy: (i, t) => trades(i, t) && price(i, t) > 0,
    whyNot: () => 'limit_up',
    settlement: 0,
    canSell: (i, t, at) => trades(i, t) && at > 0,
    buyUnits: (_i, _t, at, wanted, cash) => Math.min(wanted, affordable(cash, buying)) / at,
    sellUnits: (_i, _t, _at, wanted, position, closing) => (closing ? position : wanted),
    buyFee: (_i, _t, amount) => feeOf(amount, buying),
    sellFee: (_i, _t, amount) => saleFee(amount, selling),
    notes: { partial: 0, unknownAmount: 0, coarse: new Set() },
    retries: false,
  }
}

/** Below this the band of adjusted prices in whole cents is as wide as a cent or two. */
const coarseBelow = 2

const isCoarse = (price: number): boolean => price < coarseBelow && Math.abs(price * 100 - Math.round(price * 100)) < 1e-6

/** Share of a day's turnover that may be traded. */
const volumeCap = 0.1

/**
 * Realistic execution, as an exchange allows it: board lots, the price limits of the day, settlement, fees by date, and no more than a tenth
 * of the day's turnover. Buying at the upper limit and selling at the lower one is impossible: nobody is on the other side. Of adjusted
 * prices a lot is no hundred shares: fractions are traded.
 */
export function realisticExecution(panel: Panel, marks: MarkPrices, market: Market, price: FillPrice, settings: Settings): ExecutionModel {
  const { stride, securities, dates } = panel
  const { traded, perDay, perSecurity, origin } = marks
  const { cost } = settings
  const amount = panel.columns.get('amount') ?? null
  const st = market.roles.st ? (columnOf(panel, market.roles.st) ?? null) : null
  const adjustment =
    !adjustments[settings.adjust].adjusted && market.roles.adjustment ? (panel.columns.get(market.roles.adjustment) ?? null) : null
  const notes: Notes = { partial: 0, unknownAmount: 0, coarse: new Set() }

  const isAdjusted = areAdjusted(panel, market, settings.adjust)
  const previousClose = previousCloseOf(panel, adjustment, market.tickDecimals)
  const limits = priceLimitsOf(panel, market, { st, isAdjusted })
  const standing = (i: number, t: number, at: number) => {
    if (isAdjusted && isCoarse(at)) notes.coarse.add(t * stride + i)
    return limits.standing(i, t, at, previousClose(i, t))
  }
  const inLots = (i: number, t: number, units: number) => (isAdjusted ? units : floorToLot(units, market.lot(securities[i], dates[t])))
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
      const stands = standing(i, t, price(i, t))
      // Nobody can say: a debut at its limit cannot be bought. Of the first day of the data the day before is unknown of all.
      return stands === stands ? stands < 1 : t === 0
    },
    whyNot: (i, t) => (standing(i, t, price(i, t)) === 1 ? 'limit_up' : 'no_reference'),
    settlement: market.settlement,
    canSell(i, t, at) {
      return trades(i, t) && at > 0 && standing(i, t, at) !== -1
    },
    buyUnits(i, t, at, wanted, cash, done) {
      const { buying } = rates(i, t)
      const units = affordable(Math.min(wanted, cash), buying) / at
      const most = allowed(i, t, at, done)
      if (most < units) notes.partial++
      return inLots(i, t, Math.min(units, most))
    },
    sellUnits(i, t, at, wanted, position, closing, done) {
      const most = allowed(i, t, at, done)
      if (closing && position <= most) return position
      const units = closing ? position : Math.min(wanted, position)
      if (most < units) notes.partial++
      return inLots(i, t, Math.min(units, most))
    },
    buyFee: (i, t, value) => feeOf(value, rates(i, t).buying),
    sellFee: (i, t, value) => saleFee(value, rates(i, t).selling),
    notes,
    retries: true,
  }
}

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
