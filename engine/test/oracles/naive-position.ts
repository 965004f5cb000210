/** A trade of the slow backtest. */
export interface NaiveTrade {
  readonly date: string
  readonly side: 'buy' | 'sell'
  readonly code: string
  readonly volume: number
  readonly price: number
  /** Of stops and of ends; null where the fast one says more. */
  readonly reason: string | null
  /** Of sells: proceeds less fees, with what the sold units were paid, less their cost. */
  readonly pnl: number | null
}

/** A position of the slow backtest. */
export interface NaivePosition {
  units: number
  cost: number
  /** Cash that the units held were paid. */
  paid: number
  opened: number
  bought: number
  /** Units added on the day of `bought`. */
  added: number
  lastPrice: number
  factor: number
  /** Day on which its own ex-days were last told. */
  wentEx: number
  /** Highest price since the day after the buy, at prices of then times the factor of then. */
  peak: number | null
  /** It trades no more and waits for its payment. */
  claim: boolean
}

/** Why a position is sold. */
export interface NaiveOrder {
  readonly reason: string | null
  readonly isStop: boolean
}
