import type { FactorRef } from '@convexa/contract'
import type { Expression, Problem } from '../expression/index.ts'

/** A factor of a request as its rows tell it. */
export interface Named {
  readonly ref: FactorRef
  readonly label: string
  /** The texts of its values, when the factor is a field with named ones (评级, 强赎状态). */
  readonly values: readonly string[] | null
  /** What is to be said of prices as traded that it reads over days. */
  readonly rawPrices?: string | null
}

/** How the prices are adjusted that a factor reads the height of; null: it reads none, or they are as traded. */
export type PriceLevel = 'qfq' | 'hfq' | null

/** What is to be said of the prices that a factor reads, as it goes to a browser beside its values. */
export interface PriceRemark {
  readonly level: PriceLevel
  /** As `Named.rawPrices`. */
  readonly raw: string | null
}

/** A factor of a request, resolved to an expression that can be computed. */
export interface ResolvedFactor extends Named {
  readonly expression: Expression
}

/** A factor that was looked for. */
export type Found<F extends Named> = { ok: true; factor: F } | { ok: false; problem: Problem }
