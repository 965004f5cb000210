import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/market'
import type { Parameters } from '@convexa/contract/strategy'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { countsOf } from '../builder/funnel.ts'

/** How many the market, and the conditions of a rule, leave on the newest day: what the usual number of bins goes by. */
export const poolSizesQuery = (kind: MarketId, parameters: Parameters) =>
  queryOptions({
    queryKey: ['pool-sizes', kind, parameters],
    // Not ended with the page that shows it: who presses 运行 waits for it too.
    queryFn: async () => {
      const { funnel } = await call(calls[kind].realtimeScreen, { body: { parameters, need: ['funnel'] } })
      const counts = countsOf(funnel)
      return counts && { all: counts.all, filtered: counts.afterConditions }
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** Securities of a pool that ten bins are filled from. */
const largePool = 100

/** Bins of who has chosen no number (api.md 0.2): ten, of a small or unknown pool five. */
export const usualBins = (pool: number | null): number => (pool !== null && pool >= largePool ? 10 : 5)
