import type { BacktestListItem } from '@convexa/contract/backtest'
import { eachOf, fits } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'

// On the server a run that was never saved is called by its rule: this browser remembers what its draft was called.

const key = 'runNames'
const most = 200
type Name = [id: string, name: string]
const shape = eachOf(fits<Name>((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((one) => typeof one === 'string')))

const read = (): Name[] => local.read(key, shape) ?? []

export function keepRunName(id: string, name: string): void {
  if (name) local.write(key, [...read().filter(([known]) => known !== id), [id, name]].slice(-most))
}

export const runNameOf = (id: string): string | null => read().find(([known]) => known === id)?.[1] ?? null

/** What a run is called: its strategy or group, else what this browser called its draft, else its rule. */
export const runName = ({ strategy_id: strategy, group_id: group, backtest_id: id, name }: BacktestListItem): string =>
  strategy || group ? name : (runNameOf(id) ?? name)
