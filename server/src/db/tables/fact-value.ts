import type { Named } from '../../feeds/ingest/names.ts'
import type { HeardStatement } from '../../feeds/ingest/statements.ts'
import type { CallRow, ConversionPriceRow, RemainingSizeRow } from '../../feeds/rows.ts'

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
