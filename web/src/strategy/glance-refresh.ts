import { calls } from '@convexa/contract/calls'
import type { Kind } from '@convexa/contract/market'
import { call } from '../api/client.ts'
import { sentenceOf } from '../api/messages.ts'
import { queries, strategyDetailQuery, strategyListQuery } from '../api/queries.ts'
import { useAuth } from '../state/auth.ts'
import { makeGlanceQueue, type Queued } from './glance-queue.ts'

/** The glances that are being refreshed, above the router: another page does not stop them. */
export const useGlances = makeGlanceQueue(async ({ kind, id }, signal) => {
  try {
    const glance = await call(calls[kind].glance, { params: { id }, body: {} }, { signal })
    queries.setQueryData(
      strategyListQuery(kind).queryKey,
      (list) => list && { ...list, list_items: list.list_items.map((one) => (one.id === id ? { ...one, glance } : one)) },
    )
    queries.setQueryData(strategyDetailQuery(kind, id).queryKey, (detail) => detail && { ...detail, glance })
    // What was followed, and what groups read of it, is newer too.
    void queries.invalidateQueries({ queryKey: ['strategy', kind, id, 'tracking'] })
    void queries.invalidateQueries({ queryKey: ['groups', kind] })
    void queries.invalidateQueries({ queryKey: ['group', kind] })
  } catch (error) {
    throw new Error(sentenceOf(error))
  }
})

/** A login that ended takes its refreshes with it. */
useAuth.subscribe(({ tokenData }) => {
  if (!tokenData) useGlances.getState().cancel()
})

export const queuedOf = (kind: Kind, strategies: readonly { id: string; strategy_name: string }[]): Queued[] =>
  strategies.map(({ id, strategy_name: name }) => ({ kind, id, name }))
