import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import { queryOptions } from '@tanstack/react-query'
import { expectedClosedDates, shanghai } from '../base/dates.ts'
import { call } from './client.ts'
import { keepFactors } from './kept-factors.ts'
import { CallError } from './messages.ts'
import { queries as ownQueries, websiteKey } from './query-cache.ts'

export { queries } from './query-cache.ts'

const minute = 60_000
/** Fetched once if absent, and again only when the data it is made of change (the layout sees `data_version`) or another logs in. */
const once = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }
/** Changes with a release or a data import: fresh enough for a working hour. */
const long = { staleTime: 60 * minute, gcTime: 120 * minute }

export const websiteQuery = queryOptions({
  queryKey: websiteKey,
  queryFn: ({ signal }) => call(calls.system.website, undefined, { signal }),
  staleTime: minute,
  refetchInterval: 5 * minute,
  refetchOnWindowFocus: true,
})

export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => call(calls.user.info, undefined, { signal }),
})

/** A year that the server does not have yet may come at any time, and one that is not over may be corrected. */
export const closedDatesAgainMs = (year: number, isMissing: boolean, thisYear: number): number | false =>
  isMissing ? 5 * minute : year >= thisYear ? 360 * minute : false

/** Closed dates of a year, weekends included. `expected`: they are not known yet, and every other weekday counts as a trading day (推定). */
export interface ClosedYear {
  readonly dates: readonly string[]
  readonly expected: boolean
}

/** 该年份交易日历暂无数据: the server's calendar ends before the year. */
const notInCalendar = 21009

async function closedYear(year: number, signal: AbortSignal): Promise<ClosedYear> {
  try {
    return { dates: await call(calls.reference.closedDates, { params: { year } }, { signal }), expected: false }
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== notInCalendar) throw error
    return { dates: expectedClosedDates(year), expected: true }
  }
}

/** The closed dates of a year (`calender`): once per year, however many ask at the same time. */
export const closedDatesQuery = (year: number) =>
  queryOptions({
    queryKey: ['closed-dates', year],
    queryFn: ({ signal }) => closedYear(year, signal),
    ...once,
    refetchInterval: ({ state: { data, error } }) =>
      closedDatesAgainMs(year, error !== null || data?.expected === true, shanghai(Date.now()).year),
  })

/** Milliseconds to the next day of Shanghai, on which the uses of a day are counted anew; a little later, as clocks differ. */
export const newDayInMs = (now: number): number => 24 * 60 * minute - ((now + 8 * 60 * minute) % (24 * 60 * minute)) + 5_000

/** What can be chosen, and what is left of the day's uses. */
export const strategyOptionsQuery = queryOptions({
  queryKey: ['strategy-options'],
  queryFn: ({ signal }) => call(calls.reference.strategyOptions, undefined, { signal }),
  ...long,
  refetchInterval: () => newDayInMs(Date.now()),
  // A tab that nobody looked at has slept over it.
  refetchOnWindowFocus: ({ state: { dataUpdatedAt } }) => (Date.now() - dataUpdatedAt >= newDayInMs(dataUpdatedAt) ? 'always' : false),
})

export const securitiesQuery = (kind: MarketId) =>
  queryOptions({
    queryKey: ['securities', kind],
    queryFn: ({ signal }) => call(calls[kind].options, undefined, { signal }),
    ...once,
  })

/** Every factor of a market, the unavailable ones with their reason. */
export const factorsQuery = (kind: MarketId) =>
  queryOptions({
    queryKey: ['factors', kind],
    queryFn: async ({ signal }) => {
      const factors = (await call(calls[kind].factors, { params: { id: 'all' } }, { signal })) as FactorMeta[]
      keepFactors(kind, factors)
      return factors
    },
    ...once,
    // Right after a server start coverage is still being counted: the list comes without it.
    refetchInterval: ({ state: { data } }) => (data?.every(({ coverage }) => coverage === null) ? 5_000 : false),
  })

/** A user's saved strategies of a market. Saving, renaming or deleting one must invalidate the list: `strategiesChanged`. */
export const strategyListQuery = (kind: MarketId) =>
  queryOptions({
    queryKey: ['strategies', kind, 'list'],
    queryFn: ({ signal }) => call(calls[kind].strategyList, undefined, { signal }),
    staleTime: minute,
  })

export const strategyDetailQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['strategies', kind, 'detail', id],
    queryFn: ({ signal }) => call(calls[kind].strategyDetail, { params: { id } }, { signal }),
  })

/** Lists and details of a market's strategies are asked for again. */
export const strategiesChanged = (kind: MarketId) => ownQueries.invalidateQueries({ queryKey: ['strategies', kind] })
