import { QueryClient } from '@tanstack/react-query'
import { CallError } from './messages.ts'

/** 服务繁忙, 行情数据更新中: gone in a moment. */
const passing: readonly number[] = [50301, 21008]
/** Worth a second try by itself; what the server refused otherwise it will refuse again. `also`: codes that pass for one question. */
const mayPass = (error: Error, also: readonly number[] = []) =>
  error instanceof CallError && (error.kind === 'network' || error.kind === 'timeout' || [...passing, ...also].includes(error.code))

/** Longest first and second attempt, in milliseconds, that is retried: a hanging call then fails within ten seconds in all. */
const quick: readonly number[] = [3_500, 300]
const again = (failures: number, error: Error, also?: readonly number[]): boolean =>
  mayPass(error, also) && (error as CallError).took <= (quick[failures] ?? -1)

/** For a short request that timed out on the server (23021): its values go on loading, and the retry finds them loaded. */
export const retryLate = (failures: number, error: Error): boolean => again(failures, error, [23021])
/** Pause before another try, in milliseconds. */
export const retryDelay = (failures: number): number => 300 * (failures + 1)

/** Query key of the site's texts, for code that reads the cache without fetching. */
export const websiteKey = ['website'] as const

/** Cache of all server data; apart from the query definitions, so that a page's first load need not include them. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Fails at once when offline; by default the library waits silently until the network is back.
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => again(failures, error),
      retryDelay,
    },
    mutations: { networkMode: 'always' },
  },
})
