import { QueryClient } from '@tanstack/react-query'
import { CallError } from './messages.ts'

/** 服务繁忙, 行情数据更新中: gone in a moment. */
const passing: readonly number[] = [50301, 21008]
/** Worth a second try by itself; what the server refused otherwise it will refuse again. `also`: codes that pass for one question. */
const mayPass = (error: Error, also: readonly number[] = []) =>
  error instanceof CallError && (error.kind === 'network' || error.kind === 'timeout' || [...passing, ...also].includes(error.code))

/** Most milliseconds that the first and the second try may have taken for another one: what hangs is told within ten seconds in all. */
const quick: readonly number[] = [3_500, 300]
const again = (failures: number, error: Error, also?: readonly number[]): boolean =>
  mayPass(error, also) && (error as CallError).took <= (quick[failures] ?? -1)

/** For a short question that was not answered in time (23021): the first who asks waits for values to be loaded that the next one finds. */
export const retryLate = (failures: number, error: Error): boolean => again(failures, error, [23021])
/** Pause before another try, in milliseconds. */
export const retryDelay = (failures: number): number => 300 * (failures + 1)

/** Of what is known of the site: read where it is not asked for. */
export const websiteKey = ['website'] as const

/** All that the server told us; apart from the questions, so that a page's first load need not know how they are asked. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Whoever is offline is told so at once; by itself the library would wait in silence until the network is back.
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
