import type { Parameters, Settings } from '@convexa/contract'
import type { Exits } from '../market/exit-dates.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import type { CompiledScreen } from '../screen/compiled-screen.ts'
import type { ExecutionModel } from './execution-model.ts'
import type { MarkPrices } from './mark-prices.ts'
import type { Rankings } from './rankings.ts'

/** What a simulation reads. Days are indices of the panel's dates. */
export interface Simulation {
  readonly panel: Panel
  readonly market: Market
  readonly parameters: Parameters
  readonly settings: Settings
  readonly compiled: CompiledScreen
  readonly rankings: Rankings
  /** By row of the rankings: the share of equity that is to be invested; null = all of it, always. */
  readonly exposure: Float64Array | null
  readonly exits: Exits
  readonly marks: MarkPrices
  /** Orders of the ranking are filled here; forced exits at the close. */
  readonly execution: ExecutionModel
  readonly closeExecution: ExecutionModel
  readonly first: number
  readonly last: number
  readonly issuer: Int32Array
}
