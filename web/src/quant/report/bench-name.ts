import { useQuery } from '@tanstack/react-query'
import { strategyOptionsQuery } from '../../api/queries.ts'

/** Until the options are here, and for benchmarks that are not loaded any more. */
const usual: Readonly<Record<string, string>> = { cb_ew: '转债等权', stk_ew: '全A等权', '000300': '沪深300' }

/** The benchmark as the builder calls it. */
export function useBenchName(code: string): string {
  const { data } = useQuery(strategyOptionsQuery)
  return data?.benchmarks.find((one) => one.value === code)?.label ?? usual[code] ?? code
}
