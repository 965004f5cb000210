import { byMarket } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '../../api/messages.ts'
import { queries, strategyDetailQuery, strategyOptionsQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { toast } from '../../ui/toast.tsx'
import { defaultSettings } from '../rule/draft.ts'
import { useFactors } from '../rule/factors.ts'
import { draftOfSaved } from './saved-draft.ts'

/** How many were asked for, by market: the answer to an earlier one that comes late must not take the place of the last. */
const requests = byMarket(() => 0)

/** Puts a saved strategy of this market on the workbench; what was there comes back by undo. */
export function useOpenStrategy(): (id: string) => Promise<boolean> {
  const { id: kind } = useMarket()
  const { data: options } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(kind)
  return async (id) => {
    const mine = ++requests[kind]
    const { begun } = useStrategies.getState()
    try {
      const detail = await queries.fetchQuery({ ...strategyDetailQuery(kind, id), staleTime: 0 })
      const given = options ?? (await queries.fetchQuery(strategyOptionsQuery))
      const { drafts, begun: now, set } = useStrategies.getState()
      // A template, a shared rule: what was chosen meanwhile is what is wanted.
      if (mine !== requests[kind] || now[kind] !== begun[kind]) return false
      const before = drafts[kind]
      const otherwise = {
        settings: before?.settings ?? defaultSettings(kind, given, factors),
        range: before ? before.range : ('default' as const),
      }
      set(kind, draftOfSaved(detail, otherwise))
      return true
    } catch (error) {
      toast.error(sentenceOf(error))
      return false
    }
  }
}
