import type { Parameters } from '@convexa/contract/strategy'
import type { Factors } from '../rule/factors.ts'
import type { ValidationIssue } from '../rule/validate.ts'
import type { Counts } from './funnel.ts'

/** What every section of the builder is given. */
export interface BuilderPart {
  parameters: Parameters
  edit: (change: (parameters: Parameters) => Parameters) => void
  factors: Factors
  mistakes: readonly ValidationIssue[]
  counts: Counts | null
}

/** The messages of these places, all of them; undefined where nothing is wrong. */
export function mistakeAt(mistakes: readonly ValidationIssue[], ...places: readonly string[]): string | undefined {
  const messages = mistakes.filter(({ place }) => places.includes(place)).map(({ message }) => message)
  return messages.length > 0 ? messages.join('；') : undefined
}
