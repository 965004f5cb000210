import { benchmarkLabel } from '@convexa/contract/enums/benchmark'

/** What a market series is called; one without a name that is the market's own is 市场等权, any other its code. */
export const benchmarkName = (own: string, code: string): string => benchmarkLabel(code) ?? (code === own ? '市场等权' : code)
