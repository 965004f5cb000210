import { calls } from '@convexa/contract/calls'
import type { DataSheet } from '@convexa/contract/data-sheet'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { MarketId } from '@convexa/contract/enums/market'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { keysOf } from './data-status.ts'

const minute = 60_000

/** Right after a start the shares are still being counted; quotes may be lost at any time, and every close leaves data a day behind. */
export function sheetAgainMs(sheet: Pick<DataSheet, 'counting' | 'data_mode'> | undefined, isLive: boolean): number | false {
  if (sheet?.counting) return 3_000
  if (isSynthetic(sheet?.data_mode)) return false
  return isLive ? minute : 5 * minute
}

/** What is known of a market's data, and how many securities have a value of each of `refs`. `version`: of the data, so that new ones are asked about. */
export const dataSheetQuery = (kind: MarketId, refs: readonly string[], version: string | null, isLive: boolean) => {
  const keys = keysOf(refs)
  return queryOptions({
    queryKey: ['data-sheet', kind, version, keys],
    queryFn: ({ signal }) => call(calls[kind].dataSheet, { query: keys.length > 0 ? { keys } : {} }, { signal }),
    staleTime: minute,
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: ({ state: { data } }) => sheetAgainMs(data, isLive),
  })
}

/** Where the data of a version came from. What is kept of a version never changes. */
export const dataSourcesQuery = (kind: MarketId, version: string) =>
  queryOptions({
    queryKey: ['data-sources', kind, version],
    queryFn: ({ signal }) => call(calls[kind].dataSources, { query: { version } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
