import type { MarketId } from '@convexa/contract/enums/market'
import { useSearchParams } from 'react-router'
import { isActive, type RunState } from './backtest-run.ts'
import { useRuns } from './backtest-run-store.ts'

/** In the address: a run's key, or this word for the settings although something runs. */
const settings = 'new'

/** Where a run of this tab is looked at. */
export const runPath = (marketPath: string, key: string): string => `${marketPath}/backtest?run=${key}`
export const settingsPath = (marketPath: string): string => `${marketPath}/backtest?run=${settings}`

/** The run that the page shows: the one that its address names, else the market's newest; none while the settings are asked for. */
export function shownRun(runs: readonly RunState[], kind: MarketId, requestedKey: string | null): RunState | null {
  if (requestedKey === settings) return null
  const own = runs.filter(({ request }) => request.kind === kind)
  return own.find(({ key }) => key === requestedKey) ?? own.findLast(isActive) ?? own.at(-1) ?? null
}

export function useShownRun(kind: MarketId): { run: RunState | null; others: readonly RunState[] } {
  const [query] = useSearchParams()
  const runs = useRuns((state) => state.runs)
  const run = shownRun(runs, kind, query.get('run'))
  return { run, others: runs.filter((one) => one.key !== run?.key && one.request.kind === kind && isActive(one)) }
}
