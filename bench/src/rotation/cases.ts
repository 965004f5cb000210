import { readdirSync, readFileSync } from 'node:fs'
import type { MarketId, Parameters, Settings } from '@convexa/contract'
import { shared } from '../reference-data.ts'

/** A reference backtest: what is run, and the net values it must give. */
export interface Case {
  readonly case: string
  readonly kind: MarketId
  readonly parameters: Parameters
  readonly settings: Settings
  readonly nav: readonly number[]
}

export function caseNames(): string[] {
  return readdirSync(`${shared}/reference`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
}

export function readCase(name: string): Case {
  return JSON.parse(readFileSync(`${shared}/reference/${name}.json`, 'utf8'))
}
