/**
 * A source of market data. Every answer has one shape and the store's own units: what a provider calls things, how it
 * writes them and how it says no stays in its file (its quirks: the provider's own page and the recorded answers of the conformance test).
 */
import type { FeedErrorKind, Need } from '../db/tables/answers.ts'
import type { CallRow, ConversionPriceRow, RemainingSizeRow } from '../db/tables/fact-value.ts'
import type { BondRow, CalendarDay, DayTable, ExDayRow, NameRow, Quotes, StatementRow, StockRow } from './rows.ts'

/** What can be asked for: its question and its answer. Dates are `YYYY-MM-DD`, codes the internal ones (`113050.SH`, indices `000300`). */
export interface Needs {
  calendar: { ask: { from: string; to: string }; answer: readonly CalendarDay[] }
  /** All of a market's bars of one day, or those of some codes. Empty when the source has not published the day yet. */
  'stock-day': { ask: { date: string; codes?: readonly string[] }; answer: DayTable }
  'bond-day': { ask: { date: string; codes?: readonly string[] }; answer: DayTable }
  'index-day': { ask: { date: string; codes: readonly string[] }; answer: DayTable }
  /** Which of some stocks have an ex-day on the day. */
  'ex-days': { ask: { date: string; codes: readonly string[] }; answer: readonly ExDayRow[] }
  /** Prices between which a day's orders must lie: `up_limit`, `down_limit`, in yuan. */
  'stock-limits': { ask: { date: string }; answer: DayTable }
  /** Stocks that are, were or will be listed: without the delisted ones a backtest has survivorship bias. */
  'stock-list': { ask: Record<never, never>; answer: readonly StockRow[] }
  'bond-list': { ask: Record<never, never>; answer: readonly BondRow[] }
  /** What a stock was called, and when: whether it was ST is read from its name. All stocks or some, of all times or as announced between two days. */
  names: { ask: { codes?: readonly string[]; from?: string; to?: string }; answer: readonly NameRow[] }
  /** What was announced from one day to another, by the day of its publication. */
  calls: { ask: { from: string; to: string }; answer: readonly CallRow[] }
  'conversion-prices': { ask: { codes: readonly string[] }; answer: readonly ConversionPriceRow[] }
  'remaining-sizes': { ask: { codes: readonly string[] }; answer: readonly RemainingSizeRow[] }
  /** What was published between two days, of all companies or of some; of two rows of a day the corrected one comes later. */
  statements: { ask: { from: string; to: string; codes?: readonly string[] }; answer: readonly StatementRow[] }
  /** The newest prices of some securities. Codes that the source does not know are not in the answer. */
  quotes: { ask: { codes: readonly string[] }; answer: Quotes }
}

export type Ask<N extends Need> = Needs[N]['ask']
export type Answer<N extends Need> = Needs[N]['answer']

/** What goes with a question. */
export interface Asking {
  readonly signal: AbortSignal
  /** Gets every answer as it came, before anything is read out of it. */
  readonly keep?: (raw: RawAnswer) => void
  /** Gets a Chinese sentence about what of an answer could not be read and was left out. */
  readonly tell?: (note: string) => void
  /** Says what is wrong with an answer as a whole, as the rest of a sentence about its source, which is named; null: nothing. */
  readonly judge?: (answer: unknown, source: string) => string | null
}

/** The bytes of one answer. */
export interface RawAnswer {
  /** Source and call, without token or cookie: `tushare daily trade_date=20240614`. */
  readonly what: string
  readonly bytes: Buffer
}

export interface Feed {
  /** Its key in settings, manifests and reports: `tushare`. */
  readonly name: string
  /** What a person reads. */
  readonly label: string
  /** What it can answer. @throws FeedError */
  readonly offers: Offers
  /** What it gives of a day besides bars; of bonds only valuations. */
  readonly givesOfDay?: readonly ('factors' | 'valuations')[]
}

export type Offers = { readonly [N in Need]?: (ask: Ask<N>, asking: Asking) => Promise<Answer<N>> }

export class FeedError extends Error {
  readonly kind: FeedErrorKind
  readonly waitMs: number
  /** `message`: a Chinese sentence, without a token or a cookie in it. */
  constructor(kind: FeedErrorKind, message: string, more: { waitMs?: number; cause?: unknown } = {}) {
    super(message, { cause: more.cause })
    this.name = 'FeedError'
    this.kind = kind
    this.waitMs = more.waitMs ?? 0
  }
}
