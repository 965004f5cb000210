import type { FactorMeta, FactorRef, factorScopes, SecurityFactors } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'

/** Built-in factors of a scope with what of them is available given the market's fields. */
export function factorList(
  _market: Market,
  _available: ReadonlySet<string>,
  _scope: (typeof factorScopes)[number],
  _coverageOf?: (key: string) => number | null,
): FactorMeta[] {
  throw new Error('not built yet')
}

/** The values of some factors for all securities listed on a day; values[column][code index]. */
export function crossSection(
  _panel: Panel,
  _market: Market,
  _refs: readonly FactorRef[],
  _day: number,
): { ok: true; columns: string[]; codes: string[]; values: (number | null)[][] } | { ok: false; problem: Problem } {
  throw new Error('not built yet')
}

/** One security's built-in factors on a day with their place among all; null when the code is unknown. */
export function securityFactors(_panel: Panel, _market: Market, _code: string, _day: number): Omit<SecurityFactors, 'data_time'> | null {
  throw new Error('not built yet')
}
