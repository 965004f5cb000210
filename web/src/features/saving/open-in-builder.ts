import type { Settings } from '@convexa/contract/backtest'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { useNavigate } from 'react-router'
import { sentenceOf } from '../../api/messages.ts'
import { factorsQuery, queries, strategyDetailQuery, strategyOptionsQuery } from '../../api/queries.ts'
import { useStrategies } from '../../state/drafts.ts'
import { toast } from '../../ui/toast.tsx'
import { defaultSettings } from '../rule/draft.ts'
import { factorsOf } from '../rule/factors.ts'
import { draftOfSaved, type SavedRule } from './saved-draft.ts'

/** A market's page where a draft is worked on. */
export type BuilderTab = 'screen' | 'backtest'

/**
 * Makes a saved strategy the draft of its market; the draft that was there can be brought back by undo. `edited`: its rule is not the one
 * that is saved, so there is something to save. `wanted` is asked once all is there: false, and nothing is changed.
 */
export async function draftFrom(kind: MarketId, strategy: SavedRule, edited = false, wanted = () => true): Promise<boolean> {
  const settings = strategy.settings ?? (await usualSettings(kind))
  if (!wanted()) return false
  useStrategies.getState().set(kind, { ...draftOfSaved(strategy, { settings, range: 'default' }), edited })
  return true
}

async function usualSettings(kind: MarketId): Promise<Settings> {
  const [options, factors] = await Promise.all([queries.fetchQuery(strategyOptionsQuery), queries.fetchQuery(factorsQuery(kind))])
  return defaultSettings(kind, options, factorsOf(factors))
}

/** Number of the latest request: the answer to an earlier one may arrive after it. */
let requests = 0

/** Opens a saved strategy in its market's builder, on a tab; cancelled if the user has gone elsewhere while it loads. */
export function useOpenInBuilder(): (kind: MarketId, id: string, tab?: BuilderTab) => Promise<void> {
  const navigate = useNavigate()
  return async (kind, id, tab = 'screen') => {
    const mine = ++requests
    const { pathname } = window.location
    const begun = useStrategies.getState().begun[kind]
    const wanted = () => mine === requests && pathname === window.location.pathname && begun === useStrategies.getState().begun[kind]
    try {
      const strategy = await queries.fetchQuery({ ...strategyDetailQuery(kind, id), staleTime: 0 })
      if (await draftFrom(kind, strategy, false, wanted)) await navigate(`${markets[kind].path}/${tab}`)
    } catch (error) {
      if (wanted()) toast.error(`打开失败：${sentenceOf(error)}`)
    }
  }
}
