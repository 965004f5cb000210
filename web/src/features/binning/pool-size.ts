import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { Parameters } from '@convexa/contract/strategy'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { countsOf } from '../builder/funnel.ts'

/** Securities on the newest day, of the market and after a rule's conditions; they decide the default number of bins. */
export const poolSizesQuery = (kind: MarketId, parameters: Parameters) =>
  queryOptions({
    queryKey: ['pool-sizes', kind, parameters],
    // Ignores the abort signal: a run started by 运行 waits for the same query after its observer is gone.
    queryFn: async () => {
      const { funnel } = await call(calls[kind].realtimeScreen, { body: { parameters, need: ['funnel'] } })
      const counts = countsOf(funnel)
      return counts && { all: counts.all, filtered: counts.afterConditions }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Smallest pool that is split into ten bins. */
const largePool = 100

/** Default number of bins (api.md 0.2): ten, or five for a small or unknown pool. */
export const usualBins = (pool: number | null): number => (pool !== null && pool >= largePool ? 10 : 5)
