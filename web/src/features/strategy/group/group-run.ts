import type { Settings } from '@convexa/contract/backtest'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { runPath } from '../../run/backtest-run-shown.ts'
import { useRuns } from '../../run/backtest-run-store.ts'

/** Starts the run of a whole group; gives the address at which it is watched. */
export function startGroupRun(kind: MarketId, group: { id: string; group_name: string }, settings: Settings): string {
  const key = useRuns.getState().start({ kind, name: group.group_name, note: '', parameters: null, settings, groupId: group.id })
  return runPath(markets[kind].path, key)
}
