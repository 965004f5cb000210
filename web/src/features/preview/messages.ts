import type { MarketId } from '@convexa/contract/enums/market'
import type { RealtimeFactors, SectionFacts } from '@convexa/contract/factor'
import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'

// What page and worker say to each other.

/** A market's day: sent once, before anything is asked about it. */
interface DayMessage {
  type: 'day'
  kind: MarketId
  date: string
  codes: readonly string[]
  facts: SectionFacts
}

/** Factors of that day, by ref. */
export interface ColumnsMessage {
  type: 'columns'
  columns: readonly { ref: string; label: string; values: Float64Array; remark: NonNullable<RealtimeFactors['price_remarks']>[number] }[]
}

export interface ScreenMessage {
  type: 'screen'
  id: number
  parameters: Parameters
  previous: readonly string[]
}

/** Which rules take a security out. */
interface WhyMessage {
  type: 'why'
  id: number
  parameters: Parameters
  code: string
}

export type Request = DayMessage | ColumnsMessage | ScreenMessage | WhyMessage

/** A screen's answer without what takes long to send: the list, that of before, and the best of the others, not the last of thousands. */
export interface PreviewAnswer {
  total: number
  /** Codes, in the order of the ranking. */
  selected: readonly string[]
  rows: readonly ScreenRow[]
  reserves: readonly ScreenRow[]
  funnel: ScreenResult['funnel']
  warnings: readonly string[]
  /** In the worker. */
  milliseconds: number
}

export interface Answer {
  id: number
  /** null: the browser cannot tell, the server must. */
  answer: PreviewAnswer | null
  /** To a why. */
  rules?: readonly string[]
}
