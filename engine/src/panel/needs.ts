import type { Parameters, Settings } from '@convexa/contract'
import type { Problem } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Needs } from './panel.ts'

/**
 * What a screen (settings null) or a backtest reads: fields, trading days before its first day, benchmarks.
 * A field that the loaded market lacks is code 23001 and named.
 */
export function needsOf(
  _market: Market,
  _available: ReadonlySet<string>,
  _parameters: Parameters,
  _settings: Settings | null,
): { ok: true; needs: Needs } | { ok: false; problem: Problem } {
  throw new Error('not built yet')
}
