import type { Template } from '@convexa/contract/reference'
import { useQuery } from '@tanstack/react-query'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { toast } from '../../ui/toast.tsx'
import { isRunnable, newDraft } from '../rule/draft.ts'
import { useFactors } from '../rule/factors.ts'

/** Begins a draft of the market from a template, null from nothing; a set of exclusions is laid on the draft that is there. Undo leads back. */
export function useTemplate(): (template: Template | null) => void {
  const { id: kind } = useMarket()
  const { data: options } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(kind)
  return (template) => {
    if (!options) return
    const { drafts, set } = useStrategies.getState()
    const before = drafts[kind]
    set(kind, newDraft(kind, options, factors, template, before))
    if (template && !isRunnable(template))
      toast.done(before ? `已把「${template.name}」叠加到当前策略，可撤销` : `已用「${template.name}」新建策略`)
  }
}
