/** An announcement about calling a bond. */
export interface CallRow {
  readonly code: string
  readonly announced: string
  /** The source only says how things stand now, and `announced` is the day on which it was asked: the same again is no announcement. */
  readonly standing?: boolean
  readonly status: 'met' | 'will_call' | 'called' | 'matures' | 'will_not_call'
  readonly callDate: string | null
  /** 元 a bond, with tax. */
  readonly price: number
  readonly registerDate: string | null
  /** Last day of trading, where the source says it. */
  readonly lastTradingDay?: string | null
  /** The day on which the holders are paid. */
  readonly paymentDate?: string | null
}

export interface ConversionPriceRow {
  readonly code: string
  readonly announced: string | null
  readonly effective: string
  /** 元. */
  readonly price: number
}

export interface RemainingSizeRow {
  readonly code: string
  readonly announced: string
  readonly asOf: string
  /** 亿元. */
  readonly size: number
}

/** A good statement, and the day on which it came first. */
export interface HeardStatement {
  readonly code: string
  readonly announced: string
  readonly period: string
  readonly items: Readonly<Record<string, number>>
  readonly heard: string
}

/** What a stock was called from a day on. */
export interface Named {
  readonly code: string
  readonly name: string
  readonly from: string
  readonly announced: string | null
}

export interface RatingRow {
  readonly code: string
  readonly announced: string
  readonly rating: string
}

/** A conversion price and, where no dated source said it, what it was derived from. */
export interface KnownPrice extends ConversionPriceRow {
  readonly derived?: {
    readonly from: 'list' | 'value'
    /** From when the price of a dated source held that it took the place of; null: none was known. */
    readonly over: string | null
  }
}

/** What a fact says, as its row has it: NaN is null there. */
export type FactValue = CallRow | KnownPrice | RemainingSizeRow | RatingRow | Named | Omit<HeardStatement, 'code'>
