import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { StrategyListItem } from '@convexa/contract/saved-strategy'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { queries, strategyDetailQuery, strategyListQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { trackingQuery } from '../rule/strategy-queries.ts'
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
    void queries.invalidateQueries({ queryKey: trackingQuery(kind, id).queryKey })
    void queries.invalidateQueries({ queryKey: ['groups', kind] })
    void queries.invalidateQueries({ queryKey: ['group', kind] })
  } catch (error) {
    throw new Error(sentenceOf(error))
  }
})

/** What has been asked for by itself: a failure is said in its row, and tried again only when somebody presses. */
const begun = new Set<string>()

/** A login that ended takes its refreshes with it. */
useAuth.subscribe(({ tokenData }) => {
  if (tokenData) return
  useGlances.getState().cancel()
  begun.clear()
})

export const queuedOf = (kind: MarketId, strategies: readonly { id: string; strategy_name: string }[]): Queued[] =>
  strategies.map(({ id, strategy_name: name }) => ({ kind, id, name }))

/** Each takes seconds of the server: of a long list only the first ones are looked at without being asked. */
const mostByItself = 6

/** A list that was never computed shows no curve and no difference: the first glances are begun when a list of strategies is seen. */
export function useFirstGlances(
  strategies: readonly (Pick<StrategyListItem, 'id' | 'strategy_name' | 'glance'> & { kind: MarketId })[],
): void {
  useEffect(() => {
    const missing = strategies.slice(0, mostByItself).filter(({ id, glance }) => glance === null && !begun.has(id))
    if (missing.length === 0) return
    for (const { id } of missing) begun.add(id)
    useGlances.getState().add(missing.flatMap((one) => queuedOf(one.kind, [one])))
  })
}
