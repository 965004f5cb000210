import { calls } from '@convexa/contract/calls'
import type { Kind } from '@convexa/contract/market'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { keysOf } from './lamp.ts'

const minute = 60_000

/** What is known of a market's data, and how many securities have a value of each of `refs`. `version`: of the data, so that new ones are asked about. */
export const dataSheetQuery = (kind: Kind, refs: readonly string[], version: string | null, isLive: boolean) => {
  const keys = keysOf(refs)
  return queryOptions({
    queryKey: ['data-sheet', kind, version, keys],
    queryFn: ({ signal }) => call(calls[kind].dataSheet, { query: keys.length > 0 ? { keys } : {} }, { signal }),
    staleTime: minute,
    placeholderData: keepPreviousData,
    retry: false,
    // Right after a start the shares are still being counted; quotes may be lost, and a calendar that has ended may go on, at any time.
    refetchInterval: ({ state: { data } }) => {
      if (data?.counting) return 3_000
      if (isLive && data?.data_mode !== 'demo') return minute
      return data?.behind === null ? 5 * minute : false
    },
  })
}

/** Where the data of a version came from. What is kept of a version never changes. */
export const dataSourcesQuery = (kind: Kind, version: string) =>
  queryOptions({
    queryKey: ['data-sources', kind, version],
    queryFn: ({ signal }) => call(calls[kind].dataSources, { query: { version } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
