import type { Parameters, Settings } from '@convexa/contract'

import type { Rebalance } from './group-value.ts'
import type { Ledger } from './ledger.ts'
import type { Simulation } from './simulation.ts'

/** How often this has been tried: rules of the same kind with mostly the same factors, cells of grids counted, this one included. */
export interface Trials {
  readonly count: number
}

/** What is to be run. */
export interface BacktestRequest {
  readonly parameters: Parameters
  readonly settings: Settings
  /** How often the like has been tried; this once when not said. */
  readonly trials?: Trials
}

/** A strategy in a group: `weight` is its share of the capital. */
export interface GroupMember {
  readonly name: string
  readonly weight: number
  readonly parameters: Parameters
}

export interface GroupRequest {
  readonly members: readonly GroupMember[]
  /** Back to the shares on the first trading day of a month, or never. */
  readonly rebalance: Rebalance
  /** A security that several members hold: one place, or a place for each. */
  readonly duplicate: 'merge' | 'separate'
  readonly settings: Settings
  /** How often the like of any member has been tried; this once when not said. */
  readonly trials?: Trials
}

/** A member that has been run, with its share of the capital. */
export interface MemberRun {
  readonly member: GroupMember
  readonly simulation: Simulation
  readonly ledger: Ledger
}
