import type { MarketId } from '@convexa/contract/enums/market'
import { type Draft, recordOf } from './draft-records.ts'
import { useStrategies } from './drafts.ts'
import { draftOf } from './kept-drafts.ts'

/** Puts a kept draft on the workbench again; one that is not kept any more as it was. */
export function resume(kind: MarketId, draft: Draft): void {
  const kept = draft.id === undefined ? null : recordOf(kind, draft.id)
  useStrategies.getState().set(kind, kept ? draftOf(kind, kept) : draft)
}
