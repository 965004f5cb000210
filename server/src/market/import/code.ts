import type { Board } from '@convexa/contract'

/**
 * A code as ours, `127056.SZ`, from the ways in which files write it: `127056.SZ`, `sz127056`, `SZ.127056`, `127056.XSHE`, `127056`,
 * `1.600000` … null when it is none. Without an exchange the exchange follows the number as the exchanges allot them.
 */
export function normalCode(text: string, kind: 'cb' | 'stk'): string | null {
  const found = patterns.map((pattern) => pattern.exec(text.trim().toUpperCase())).find((match) => match !== null)
  if (!found?.groups) return null
  const number = found.groups['number']!.padStart(6, '0')
  const exchange = exchanges[found.groups['exchange'] ?? ''] ?? exchangeOf(number, kind)
  return exchange === null ? null : `${number}.${exchange}`
}

const patterns = [
  /^(?<number>\d{6})\.(?<exchange>SH|SZ|BJ|DM|SS|XSHG|XSHE|SSE|SZSE|BSE|NQ)$/,
  /^(?<exchange>SH|SZ|BJ)[._]?(?<number>\d{6})$/,
  // Numbers that a spreadsheet has taken for one: leading zeros are gone.
  /^(?<number>\d{1,6})(\.0)?$/,
]
const exchanges: Readonly<Record<string, string>> = {
  SH: 'SH',
  SS: 'SH',
  XSHG: 'SH',
  SSE: 'SH',
  SZ: 'SZ',
  XSHE: 'SZ',
  SZSE: 'SZ',
  BJ: 'BJ',
  BSE: 'BJ',
  NQ: 'BJ',
  DM: 'DM',
}

function exchangeOf(number: string, kind: 'cb' | 'stk'): string | null {
  if (kind === 'cb') return /^(10|11)/.test(number) ? 'SH' : /^12/.test(number) ? 'SZ' : null
  if (/^(60|68)/.test(number)) return 'SH'
  if (/^(00|30)/.test(number)) return 'SZ'
  if (/^(4|8|92)/.test(number)) return 'BJ'
  return null
}

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
