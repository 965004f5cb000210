import { ruleName } from '@convexa/engine/report'
import type { Draft } from '../../state/drafts.ts'
import type { Factors } from './factors.ts'

/**
 * What a draft is called: as its strategy or template, for as long as its rule is the template's; one that is neither's is called by
 * what it ranks by, as its report and the server call it.
 */
export function draftName(draft: Draft, { list, nameOf }: Pick<Factors, 'list' | 'nameOf'>): string {
  if (draft.saved || !draft.ruleEdited || list.length === 0) return draft.name
  return ruleName(draft.parameters, nameOf)
}
