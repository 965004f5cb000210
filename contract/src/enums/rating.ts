import type { Row } from './table.ts'

export interface RatingRow extends Row {
  /** Offered as a bound of the exclusion by rating: worse ones are not chosen by anybody. */
  readonly offered: boolean
}

const rating = (label: string, offered: boolean): RatingRow => ({ label, offered })

/** External ratings of bonds, best first; the place in this order is the value of the field `rating`. */
export const ratings = {
  AAA: rating('AAA', true),
  'AA+': rating('AA+', true),
  AA: rating('AA', true),
  'AA-': rating('AA-', true),
  'A+': rating('A+', true),
  A: rating('A', true),
  'A-': rating('A-', true),
  'BBB+': rating('BBB+', true),
  BBB: rating('BBB', true),
  'BBB-': rating('BBB-', true),
  'BB+': rating('BB+', false),
  BB: rating('BB', false),
  'BB-': rating('BB-', false),
  'B+': rating('B+', false),
  B: rating('B', false),
  'B-': rating('B-', false),
  CCC: rating('CCC', false),
  CC: rating('CC', false),
  C: rating('C', false),
} as const satisfies Record<string, RatingRow>
export type Rating = keyof typeof ratings
