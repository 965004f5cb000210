import type { Quote } from './market-day.ts'

/** Volume that money buys: whole lots of the security's board, 0 below the smallest order. */
export function lotsFor(money: number, price: number, { min, step }: Quote['lot']): number {
  if (!(price > 0) || !(money > 0)) return 0
  // A millionth of a step: what was written as 0.1 of 100,000 must buy what 10,000 buys.
  const volume = Math.floor(money / price / step + 1e-6) * step
  return volume >= min ? volume : 0
}

/** To the fen. */
export const fen = (yuan: number): number => Math.round(yuan * 100) / 100

/** Why a security cannot be bought; null: it can. */
export function unbuyable(quote: Quote | undefined, tradeDate: string): string | null {
  if (!quote) return '不在行情数据中'
  if (!quote.listed) return '已退市或未上市'
  if (quote.lastDay !== null && quote.lastDay < tradeDate) return `最后交易日为 ${quote.lastDay}`
  if (!quote.traded) return '停牌'
  if (!(quote.close > 0)) return '没有价格'
  return null
}

const called = 3

/** What to know before a security is traded. */
export function warningsOf({ callStatus, callCount, lastDay, traded }: Quote): string[] {
  return [
    ...(lastDay === null ? [] : [`最后交易日 ${lastDay}`]),
    ...(callStatus >= called ? ['已公告强赎'] : callCount > 0 ? [`强赎计数 ${callCount}`] : []),
    ...(traded ? [] : ['停牌']),
  ]
}
