import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { MarketFigures } from '@convexa/contract/market'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'

// What the server keeps of groups, runs and the past of strategies; their list and details are asked for in api/queries.ts.

export const versionsQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['strategies', kind, 'detail', id, 'versions'],
    queryFn: ({ signal }) => call(calls[kind].strategyVersions, { params: { id } }, { signal }),
  })

export const trackingQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['strategies', kind, 'detail', id, 'tracking'],
    queryFn: ({ signal }) => call(calls[kind].tracking, { params: { id } }, { signal }),
  })

export const groupsQuery = (kind: MarketId) =>
  queryOptions({
    queryKey: ['groups', kind],
    queryFn: ({ signal }) => call(calls[kind].groupList, undefined, { signal }),
  })

export const groupQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['group', kind, id],
    queryFn: ({ signal }) => call(calls[kind].groupDetail, { params: { id } }, { signal }),
  })

/** Which of the own runs, and which page of them. */
export interface RunFilter {
  offset?: number
  limit?: number
  kind?: MarketId
  strategy_id?: string
  group_id?: string
  status?: number
  note?: string
  from?: string
  to?: string
}

export const runsQuery = (filter: RunFilter) =>
  queryOptions({
    queryKey: ['backtests', filter],
    queryFn: ({ signal }) => call(calls.quant.backtestList, { query: filter }, { signal }),
    staleTime: 5_000,
  })

/** As many trading days as a figure's small curve shows. */
const figureDays = 60

/** When figures are asked for again, in ms: made-up ones never move, real ones begin to as the session does, or with the next day of the data. */
export const figuresAgainMs = ({ data_mode: mode, realtime }: Pick<MarketFigures, 'data_mode' | 'realtime'>): number | false =>
  mode === 'demo' ? false : realtime ? 5_000 : 60_000

/** The figures of a market on its newest day, and how they came there. */
export const figuresQuery = (kind: MarketId) =>
  queryOptions({
    queryKey: ['market-figures', kind],
    queryFn: ({ signal }) => call(calls[kind].market, { query: { history: figureDays } }, { signal }),
    // A market that is being loaded is there in a moment: nobody should have to press for it.
    refetchInterval: ({ state: { status, data } }) => (status === 'error' ? 10_000 : data !== undefined && figuresAgainMs(data)),
  })

/** All that a change of strategies may have made old; runs name strategies as they are called now. */
export function forgetStrategies(kind: MarketId): void {
  for (const queryKey of [['strategies', kind], ['groups', kind], ['group', kind], ['backtests']])
    void queries.invalidateQueries({ queryKey })
}
