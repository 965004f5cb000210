import { calls } from '@convexa/contract/calls'
import type { FactorMeta } from '@convexa/contract/factor'
import type { Kind } from '@convexa/contract/market'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { CallError } from './messages.ts'

const minute = 60_000
/** Reference data changes with a data import or a release: fresh enough for a working hour. */
const long = { staleTime: 60 * minute, gcTime: 120 * minute }

/** 服务繁忙, 行情数据更新中: gone in a moment. */
const passing: readonly number[] = [50301, 21008]
/** Worth a second try by itself; what the server refused otherwise it will refuse again. */
const mayPass = (error: Error) =>
  error instanceof CallError && (error.kind === 'network' || error.kind === 'timeout' || passing.includes(error.code))

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: minute,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && mayPass(error),
    },
  },
})

export const websiteQuery = queryOptions({
  queryKey: ['website'],
  queryFn: ({ signal }) => call(calls.system.website, undefined, { signal }),
  staleTime: minute,
  refetchInterval: 5 * minute,
  refetchOnWindowFocus: true,
})

export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => call(calls.user.info, undefined, { signal }),
})

export const closedDatesQuery = (year: number) =>
  queryOptions({
    queryKey: ['closed-dates', year],
    queryFn: ({ signal }) => call(calls.reference.closedDates, { params: { year } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const strategyOptionsQuery = queryOptions({
  queryKey: ['strategy-options'],
  queryFn: ({ signal }) => call(calls.reference.strategyOptions, undefined, { signal }),
  ...long,
})

export const securitiesQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ['securities', kind],
    queryFn: ({ signal }) => call(calls[kind].options, undefined, { signal }),
    ...long,
  })

/** Every factor of a market, the unavailable ones with their reason. */
export const factorsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ['factors', kind],
    queryFn: async ({ signal }) => {
      const factors = await call(calls[kind].factors, { params: { id: 'all' } }, { signal })
      return factors as FactorMeta[]
    },
    ...long,
  })
