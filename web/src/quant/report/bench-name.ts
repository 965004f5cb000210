import type { Report } from '@convexa/contract/report'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'

/** The benchmark as the server calls it; its code until the options are here, and when it is not loaded any more. */
export function useBenchNames(): (code: string) => string {
  const { data } = useQuery(strategyOptionsQuery)
  return useCallback((code) => data?.benchmarks.find((one) => one.value === code)?.label ?? code, [data])
}

export const useBenchName = (code: string): string => useBenchNames()(code)

/** As the report itself calls it, for whoever is not logged in and cannot ask: its assumptions begin with the name. */
export function useReportBenchName({ settings, assumptions }: Report): string {
  const loggedIn = useAuth((state) => state.tokenData !== null)
  const { data } = useQuery({ ...strategyOptionsQuery, enabled: loggedIn })
  const known = data?.benchmarks.find((one) => one.value === settings.benchmark)?.label
  const told = assumptions.find(({ key }) => key === 'benchmark')?.text.split(/[（，]/)[0]
  return known ?? told ?? settings.benchmark
}

/** How a benchmark is made, where it is ours: the equal-weighted pools; an index has its own rules. */
export const benchNote = (code: string): string => (code.endsWith('_ew') ? '每日再平衡，不计成本' : '')
