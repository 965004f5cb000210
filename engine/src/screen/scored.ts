import type { Security } from '../panel/panel.ts'
import type { CompiledScreen } from './compiled-screen.ts'
import type { Named, PriceLevel } from './resolved-factor.ts'
import type { RuleName } from './rules.ts'

/** A day that has been scored, by whatever means: what the parts of an answer are made of. */
export interface ScoredDay {
  readonly compiled: CompiledScreen<Named>
  /** Size of the pool. */
  readonly size: number
  /** Score of the best and the worst possible. */
  readonly best: number
  readonly worst: number
  /** By rank factor: the normalized values of the best and the worst possible. */
  readonly spans: readonly { readonly best: number; readonly worst: number }[]
  rules(): readonly RuleName[]
  /** The day, as the rules count it. */
  readonly day: number
  /** 0 = in the pool, else 1 + index of the first rule failed. */
  failOf(security: number): number
  /** How many have each of these answers. */
  failures(): Int32Array
  /** Of a rank factor: rank or z-score, lower = better. */
  normalizedValue(factor: number, security: number): number
  /** Of a rank factor: rank in the pool, 1 = best, ties averaged. */
  rank(factor: number, security: number): number
  value(factor: Named, security: number): number
  /** Some security has a value in the factor. */
  hasValues(factor: Named): boolean
  /** Whether its bar of the day has not come, of one that did not trade. */
  lacksBar(security: number): boolean
  /** Whether it reads how high adjusted prices are. */
  levelOf(factor: Named): PriceLevel
}

/** What of a security a screen tells. */
export type ScreenedSecurity = Pick<Security, 'code' | 'name' | 'issuer'>

/** A factor's values that day, the first security at `offset`; `values` are the texts of an enumeration. */
export interface ValueColumn extends Omit<Named, 'label'> {
  readonly column: Float64Array
  readonly offset: number
}
