import type { TradeReason } from '@convexa/contract'
import { allocateColumns } from './column-buffer.ts'
import type { Stop } from './stops.ts'

/** One fill, before it is written as a row of the report. Days are indices of the panel's dates. */
export interface Fill {
  readonly day: number
  readonly security: number
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly volume: number
  readonly amount: number
  readonly fee: number
  /** Of a sell: what the volume had cost with its fees; NaN of a buy. */
  readonly cost: number
  /** Of a sell: cash dividends and interest received on the volume since it was bought, yuan; NaN of a buy. */
  readonly income: number
  /** Trading day on which the position was opened. */
  readonly opened: number
  /** Nothing is left after it. */
  readonly closes: boolean
  readonly reason: TradeReason
  /** Row of the rankings that led to it, −1 when none did. */
  readonly ranking: number
  /** Share of equity before and after; NaN where that is not the point. */
  readonly weightFrom: number
  readonly weightTo: number
  /** Less than wanted, for want of turnover that day. */
  readonly partial: boolean
  /** The stop that led to it. */
  readonly stop: Stop | null
}

/** Why a trade is made; `partial` is found out when it is. */
export type Cause = { -readonly [Key in 'reason' | 'ranking' | 'weightFrom' | 'weightTo' | 'partial']: Fill[Key] } & {
  readonly stop?: Stop
}

/** A fill as the portfolio makes it; the rest of its columns come from the cause. */
export interface NewFill
  extends Pick<Fill, 'day' | 'security' | 'side' | 'price' | 'volume' | 'amount' | 'fee' | 'cost' | 'income' | 'opened' | 'closes'> {
  readonly cause: Cause
}

/** A selected security that could not be bought on the day. */
export interface Missed {
  readonly day: number
  readonly security: number
  /** In the ranking. */
  readonly place: number
  /** It stood at its upper limit, did not trade, its bar has not come, it has no price of the run's fill, no previous close that its limits are measured from, or its place was too little for a lot. */
  readonly why: 'limit_up' | 'suspended' | 'missing_bar' | 'no_price' | 'no_reference' | 'no_lot'
}

/** Recorded per day at most: on a day on which the whole market stands at its limit, thousands of names would be of no use. */
const mostMissed = 20

/** A cause that no ranking led to. */
export function unranked(reason: TradeReason): Cause {
  return { reason, ranking: -1, weightFrom: Number.NaN, weightTo: Number.NaN, partial: false }
}

/**
 * The output of the fill model: the fills of a run in the order of trading, kept in columns, because thousands of long-lived objects cost more
 * than the trades. A run that reports no trades (a cell of a grid) keeps those of the current day only.
 */
export class Fills {
  length = 0
  /** The first of the current day. */
  today = 0
  /** Of the whole run so far. */
  total = 0
  day: Int32Array = new Int32Array(0)
  security: Int32Array = new Int32Array(0)
  /** 1 = sell. */
  sold: Uint8Array = new Uint8Array(0)
  price: Float64Array = new Float64Array(0)
  volume: Float64Array = new Float64Array(0)
  amount: Float64Array = new Float64Array(0)
  fee: Float64Array = new Float64Array(0)
  cost: Float64Array = new Float64Array(0)
  income: Float64Array = new Float64Array(0)
  opened: Int32Array = new Int32Array(0)
  closes: Uint8Array = new Uint8Array(0)
  ranking: Int32Array = new Int32Array(0)
  weightFrom: Float64Array = new Float64Array(0)
  weightTo: Float64Array = new Float64Array(0)
  partial: Uint8Array = new Uint8Array(0)
  readonly reason: TradeReason[] = []
  /** By fill. */
  readonly stops = new Map<number, Stop>()
  /** In the order of days, the best ranked of each. */
  readonly missed: Missed[] = []
  #missedToday = 0
  readonly #keeps: boolean

  /** `capacity`: how many are expected. */
  constructor(capacity: number, keeps: boolean) {
    this.#keeps = keeps
    this.#grow(capacity)
  }

  startDay(): void {
    if (!this.#keeps) this.length = 0
    this.today = this.length
    this.#missedToday = 0
  }

  add({ day, security, side, price, volume, amount, fee, cost, income, opened, closes, cause }: NewFill): void {
    this.total++
    const at = this.length++
    if (at === this.day.length) this.#grow(at + (at >> 1) + 1024)
    this.day[at] = day
    this.security[at] = security
    this.sold[at] = side === 'sell' ? 1 : 0
    this.price[at] = price
    this.volume[at] = volume
    this.amount[at] = amount
    this.fee[at] = fee
    this.cost[at] = cost
    this.income[at] = income
    this.opened[at] = opened
    this.closes[at] = closes ? 1 : 0
    this.ranking[at] = cause.ranking
    this.weightFrom[at] = cause.weightFrom
    this.weightTo[at] = cause.weightTo
    this.partial[at] = cause.partial ? 1 : 0
    this.reason[at] = cause.reason
    if (cause.stop) this.stops.set(at, cause.stop)
  }

  miss(missed: Missed): void {
    if (this.#keeps && this.#missedToday++ < mostMissed) this.missed.push(missed)
  }

  /** The fill at a place, as an object. */
  at(place: number): Fill {
    return {
      day: this.day[place],
      security: this.security[place],
      side: this.sold[place] === 1 ? 'sell' : 'buy',
      price: this.price[place],
      volume: this.volume[place],
      amount: this.amount[place],
      fee: this.fee[place],
      cost: this.cost[place],
      income: this.income[place],
      opened: this.opened[place],
      closes: this.closes[place] === 1,
      reason: this.reason[place],
      ranking: this.ranking[place],
      weightFrom: this.weightFrom[place],
      weightTo: this.weightTo[place],
      partial: this.partial[place] === 1,
      stop: this.stops.get(place) ?? null,
    }
  }

  #grow(rows: number): void {
    const columns = allocateColumns(rows, { doubles: 8, integers: 4, bytes: 3 })
    this.day = columns.integers(this.day)
    this.security = columns.integers(this.security)
    this.sold = columns.bytes(this.sold)
    this.price = columns.doubles(this.price)
    this.volume = columns.doubles(this.volume)
    this.amount = columns.doubles(this.amount)
    this.fee = columns.doubles(this.fee)
    this.cost = columns.doubles(this.cost)
    this.income = columns.doubles(this.income)
    this.opened = columns.integers(this.opened)
    this.closes = columns.bytes(this.closes)
    this.ranking = columns.integers(this.ranking)
    this.weightFrom = columns.doubles(this.weightFrom)
    this.weightTo = columns.doubles(this.weightTo)
    this.partial = columns.bytes(this.partial)
  }
}

/** The first fill on a day or after it; fills are in the order of days. */
export function firstFill({ day, length }: Fills, wanted: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (day[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}
