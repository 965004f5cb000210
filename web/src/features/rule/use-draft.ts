import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { followData } from './draft.ts'
import { useFactors } from './factors.ts'

/** The market's draft with ways to change it; its dates and prices follow the loaded data. */
export function useDraft() {
  const { id: kind } = useMarket()
  const draft = useStrategies((state) => state.drafts[kind])
  const { data: options, error, refetch } = useQuery(strategyOptionsQuery)
  const range = options?.ranges[kind] ?? null
  const { factors } = useFactors(kind)
  useEffect(() => {
    if (range) useStrategies.getState().adjust(kind, (before) => followData(before, kind, range, factors))
  }, [kind, range, factors])
  return {
    draft,
    options,
    range,
    /** What the data are could not be read: nothing can be computed on them. */
    lost: error && !options ? { error, retry: () => void refetch() } : null,
    editParameters: (change: (parameters: Parameters) => Parameters) =>
      useStrategies.getState().edit(kind, (before) => ({ ...before, parameters: change(before.parameters) })),
    editSettings: (change: (settings: Settings) => Settings) =>
      useStrategies.getState().edit(kind, (before) => ({ ...before, settings: change(before.settings) })),
  }
}
