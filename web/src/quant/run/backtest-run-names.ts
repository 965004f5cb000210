import type { BacktestListItem } from '@convexa/contract/backtest'
import { local } from '../../state/storage.ts'

// On the server a run that was never saved is called by its rule: this browser remembers what its draft was called.

const key = 'runNames'
const most = 200
type Names = [id: string, name: string][]

const read = (): Names => local.read<Names>(key) ?? []

export function keepRunName(id: string, name: string): void {
  if (name) local.write(key, [...read().filter(([known]) => known !== id), [id, name]].slice(-most))
}

export const runNameOf = (id: string): string | null => read().find(([known]) => known === id)?.[1] ?? null

/** What a run is called: its strategy or group, else what this browser called its draft, else its rule. */
export const runName = ({ strategy_id: strategy, group_id: group, backtest_id: id, name }: BacktestListItem): string =>
  strategy || group ? name : (runNameOf(id) ?? name)
