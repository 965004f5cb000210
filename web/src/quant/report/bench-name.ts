import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { strategyOptionsQuery } from '../../api/queries.ts'

/** The benchmark as the server calls it; its code until the options are here, and when it is not loaded any more. */
export function useBenchNames(): (code: string) => string {
  const { data } = useQuery(strategyOptionsQuery)
  return useCallback((code) => data?.benchmarks.find((one) => one.value === code)?.label ?? code, [data])
}

export const useBenchName = (code: string): string => useBenchNames()(code)

/** How a benchmark is made, where it is ours: the equal-weighted pools; an index has its own rules. */
export const benchNote = (code: string): string => (code.endsWith('_ew') ? '每日再平衡，不计成本' : '')
