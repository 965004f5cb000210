import type { Parameters } from '@convexa/contract'
import type { RunGroup } from './group-run.ts'

/** What a run computes, as its row keeps it: one rule, or a group of them. */
export type RunRule = { readonly parameters: Parameters } | { readonly group: RunGroup }

/** Every rule in it. */
export const rulesOf = (rule: RunRule): readonly Parameters[] =>
  'group' in rule ? rule.group.members.map(({ parameters }) => parameters) : [rule.parameters]
