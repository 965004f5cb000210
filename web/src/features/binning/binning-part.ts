import type { BinningResult } from '@convexa/contract/binning'
import type { BinningQuestion } from './binning-form.ts'

/** What a card of the answer is drawn from. */
export interface BinningPart {
  question: BinningQuestion
  result: BinningResult
  watermark: string | null
}
