import type { CallRow, ConversionPriceRow, RemainingSizeRow } from '../rows.ts'
import type { Named } from './names.ts'
import type { HeardStatement } from './statements.ts'

export interface RatingRow {
  readonly code: string
  readonly announced: string
  readonly rating: string
}

/** What a fact says, as its row has it: NaN is null there. */
export type FactValue = CallRow | ConversionPriceRow | RemainingSizeRow | RatingRow | Named | Omit<HeardStatement, 'code'>
