import type { Parameters } from '@convexa/contract/strategy'
import type { Factors } from './factors.ts'
import type { Counts } from './funnel.ts'
import type { Mistake } from './validate.ts'

/** What every section of the builder is given. */
export interface BuilderPart {
  parameters: Parameters
  edit: (change: (parameters: Parameters) => Parameters) => void
  factors: Factors
  mistakes: readonly Mistake[]
  counts: Counts | null
}

/** The message for a place, or for any place below it. */
export const mistakeAt = (mistakes: readonly Mistake[], place: string): string | undefined =>
  mistakes.find((mistake) => mistake.place === place)?.message
