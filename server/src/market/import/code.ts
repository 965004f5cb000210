import type { Board } from '@convexa/contract'

/** Board of a stock by the exchanges' allotment of codes, for files that do not name it. */
export function boardOfStock(code: string): Board {
  if (code.endsWith('.BJ')) return 'BSE'
  if (/^68[89]/.test(code)) return 'STAR'
  if (/^30/.test(code)) return 'CHINEXT'
  return code.endsWith('.SH') ? 'SSE_MAIN' : 'SZSE_MAIN'
}

/** Board of a bond: that of its stock, or by its own code where the stock is not known. */
export function boardOfBond(code: string, stockCode: string | undefined): Board {
  if (stockCode !== undefined) return boardOfStock(stockCode)
  if (/^118/.test(code)) return 'STAR'
  if (/^123/.test(code)) return 'CHINEXT'
  return code.endsWith('.SH') ? 'SSE_MAIN' : 'SZSE_MAIN'
}
