import { byMarket, type MarketId, marketIds } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { keptFactors } from '../../../api/kept-factors.ts'
import { factorsQuery } from '../../../api/queries.ts'
import { type Factors, factorsOf } from '../../rule/factors.ts'

/** What `useFactors` gives of one market, of each. */
export const useFactorsByMarket = (): Record<MarketId, Factors> =>
  useQueries({ queries: marketIds.map((kind) => factorsQuery(kind)), combine: factorsByMarket })

const factorsByMarket = (answers: readonly UseQueryResult<FactorMeta[]>[]): Record<MarketId, Factors> =>
  byMarket((kind) => {
    const { data, isError, isPending } = answers[marketIds.indexOf(kind)] ?? {}
    const kept = isError && !data ? keptFactors(kind) : null
    return factorsOf(data ?? kept?.factors ?? [], isPending)
  })
