import type { Parameters, ScreenResult } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'

export interface ScreenRequest {
  readonly parameters: Parameters
  /** Index of the day in the panel's dates. */
  readonly day: number
  /** Codes held now, for `change`. */
  readonly previous?: readonly string[]
  /** Parts beyond the list; absent = all. */
  readonly need?: readonly ('list' | 'reserve' | 'excluded' | 'funnel')[]
}

export type ScreenOutcome = { ok: true; result: Omit<ScreenResult, 'data_time' | 'realtime'> } | { ok: false; problem: Problem }

/** Universe, exclusions, conditions and ranking on one day → rows, best first. */
export function screen(_panel: Panel, _market: Market, _request: ScreenRequest): ScreenOutcome {
  throw new Error('not built yet')
}
