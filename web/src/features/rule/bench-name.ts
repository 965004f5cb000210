import { isPriceIndex } from '@convexa/contract/enums/benchmark'
import type { ReportCore } from '@convexa/contract/report'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { strategyOptionsQuery } from '../../api/queries.ts'

/** The benchmark as the server calls it; its code until the options are here, and when it is not loaded any more. */
export function useBenchNames(): (code: string) => string {
  const { data } = useQuery(strategyOptionsQuery)
  return useCallback((code) => data?.benchmarks.find((one) => one.value === code)?.label ?? code, [data])
}

export const useBenchName = (code: string): string => useBenchNames()(code)

/** As the report itself calls it, the same for every reader and at once: its assumptions begin with the name. */
export const reportBenchName = ({ settings, assumptions }: ReportCore): string =>
  assumptions.find(({ key }) => key === 'benchmark')?.text.split(/[（，]/)[0] ?? settings.benchmark

/** How a benchmark is made, where it is ours: the equal-weighted pools; an index has its own rules. */
export const benchNote = (code: string): string =>
  code.endsWith('_ew') ? '每日再平衡，不计成本' : isPriceIndex(code) ? '价格指数，不含成分股分红' : ''
