import type { Parameters, Settings } from '@convexa/contract'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import type { Recipe } from '../screen/recipe.ts'
import type { Desk } from './desk.ts'
import type { Exits } from './exits.ts'
import type { Marks } from './marks.ts'
import type { Rankings } from './rankings.ts'

/** What a simulation reads. Days are indices of the panel's dates. */
export interface Simulation {
  readonly panel: Panel
  readonly market: Market
  readonly parameters: Parameters
  readonly settings: Settings
  readonly recipe: Recipe
  readonly rankings: Rankings
  /** By row of the rankings: the share of equity that is to be invested; null = all of it, always. */
  readonly exposure: Float64Array | null
  readonly exits: Exits
  readonly marks: Marks
  /** Orders of the ranking are filled here; forced exits at the close. */
  readonly desk: Desk
  readonly closeDesk: Desk
  readonly first: number
  readonly last: number
  readonly issuer: Int32Array
}
