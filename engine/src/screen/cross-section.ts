import type { FactorRef } from '@convexa/contract'
import type { MissingBars, Security } from '../panel/panel.ts'
import type { Found, Named, PriceLevel } from './resolved-factor.ts'
import type { JudgedTerms, UniverseInput } from './universe.ts'

/**
 * One day of a market as a screen reads it: its securities, and a column of values for each factor. It may come from a panel
 * (`sectionOf`) or over the wire; a column that is another array has new values.
 */
export interface CrossSection {
  readonly facts: DayFacts
  /** A factor of a request, or why it cannot be had. */
  factor(ref: FactorRef): Found<SectionFactor>
  /** The groups of an attribute: the same number for securities of one group. */
  group(attribute: string): Found<SectionFactor>
}

/** What universe and exclusions look at. An object with other content is another object. */
export interface DayFacts {
  readonly date: string
  /** Ascending by code. */
  readonly securities: readonly SectionSecurity[]
  /** 1 where it is inside its listing window. */
  readonly listed: Uint8Array
  /** 1 where it trades that day. */
  readonly traded: Uint8Array
  /** Bars of the day that have not come. */
  readonly missingBars?: MissingBars
  /** 1 where its last day is near and known. */
  readonly leaving: Uint8Array
  /** Fields of the data by key, one value each. */
  readonly columns: UniverseInput['columns']
}

export type SectionSecurity = Pick<Security, 'code' | 'formerCodes' | 'name' | 'issuer' | 'board' | 'listed' | 'attributes' | 'dated'> &
  JudgedTerms

/** The same array each time as long as the values are the same. */
export interface SectionFactor extends Named {
  /** By security, NaN = absent. */
  column(): Float64Array
  /** The same with gaps closed by the own last value of the days before (`forward_fill`). */
  filled(): Float64Array
  /** Whether it reads how high adjusted prices are. */
  level(): PriceLevel
}
