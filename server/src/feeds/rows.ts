/**
 * The shapes in which sources answer. Numbers are in the units of the market's fields (engine/src/market/*.fields.ts): yuan, shares (or
 * hands of ten bonds), 万元 of amount, 亿元 of size, fractions; NaN = absent. Dates are `YYYY-MM-DD`, null = not known.
 */

export interface CalendarDay {
  readonly date: string
  readonly open: boolean
}

/** The rows of one day, by column: of what traded. */
export interface DayTable {
  readonly date: string
  /** One for each row, without repeats, ascending. */
  readonly codes: readonly string[]
  /** By field key, a value for each row. A column that the source does not give is not there. */
  readonly columns: ReadonlyMap<string, Float64Array>
  /** Listed, without a trade all day, and so without a row, ascending; absent where the source does not say. */
  readonly suspended?: readonly string[]
  /** Codes of rows that could not be read, and are not in it, ascending. */
  readonly unread?: readonly string[]
  /** Codes whose row is another source's, because their own could not be read or did not pass the checks, ascending. */
  readonly replaced?: readonly string[]
  /** Chinese sentences about what is not in it: a part that this token may not ask for. */
  readonly notes?: readonly string[]
}

/** Newest prices: a day that is not over. */
export interface Quotes extends DayTable {
  /** When the source made each row, in ms since 1970 UTC; NaN = it does not say. */
  readonly madeAt: Float64Array
}

export interface StockRow {
  readonly code: string
  readonly name: string
  readonly industry: string | null
  readonly listed: string | null
  readonly delisted: string | null
}

/** What a security was called from one day to another, both included; `to` null: it still is. */
export interface NameRow {
  readonly code: string
  readonly name: string
  readonly from: string
  readonly to: string | null
  readonly announced: string | null
}

export interface BondRow {
  readonly code: string
  readonly name: string
  readonly stockCode: string
  readonly stockName: string | null
  readonly listed: string | null
  readonly delisted: string | null
  readonly valueDate: string | null
  readonly maturityDate: string | null
  readonly conversionStart: string | null
  readonly conversionEnd: string | null
  /** 亿元. */
  readonly issueSize: number
  readonly remainSize: number
  /** 元; the one in force now. */
  readonly conversionPrice: number
  readonly firstConversionPrice: number
  /** Fractions, one a year of interest; null where the source leaves a year open. */
  readonly coupons: readonly (number | null)[]
  readonly maturityPrice: number
  readonly rating: string | null
  /** The clauses as the prospectus words them. */
  readonly clauses: { readonly redeem: string | null; readonly put: string | null; readonly reset: string | null }
}

/**
 * Whether a stock goes ex-dividend, ex-rights or the like on a day: from then on its price does not contain what was distributed. A stock
 * that the source does not know has no row.
 */
export interface ExDayRow {
  readonly code: string
  /** null: nothing goes out on the day that was asked for. */
  readonly date: string | null
}

/** What a table says of a period's statement, as it was published that day; null: the source does not say. */
export interface StatementRow {
  readonly code: string
  readonly announced: string | null
  readonly period: string | null
  /** By item of the market's reports, in their units (engine/src/market/stock.statement-items.ts): 亿元. */
  readonly items: Readonly<Record<string, number>>
}
