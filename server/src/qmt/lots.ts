import type { MarketId } from '@convexa/contract'
import { callStatuses } from '@convexa/contract/enums/call-status'
import { markets } from '@convexa/contract/enums/market'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import type { EndKind } from './end-kind.ts'
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

/** The price that a day's trading starts from: the close, on an ex-day less what the holders get. */
export function refPriceOf({ close, exDays }: Quote, tradeDate: string): number {
  const ex = exDays?.find(({ date }) => date === tradeDate)
  return ex ? (close - ex.cash) / (1 + ex.ratio) : close
}

/** Why nothing is bought: `不足一手（10 张约 1,213 元）`. */
export const lessThanALot = (kind: MarketId, { lot, close }: Quote): string =>
  `不足一手（${lot.min} ${markets[kind].unit}约 ${Math.ceil(lot.min * close).toLocaleString('en')} 元）`

/** Of back-adjusted prices a lot costs nobody knows what. */
export const unquoted = '行情是后复权价，没有当日报价，无法换算数量'

/** Why a security cannot be bought; null: it can. On its last day it is sold: afterwards nobody can. */
export function unbuyable(quote: Quote | undefined, tradeDate: string): string | null {
  if (!quote) return '不在行情数据中'
  if (!quote.listed) return '已退市或未上市'
  if (quote.lastDay !== null && quote.lastDay <= tradeDate) return `最后交易日为 ${quote.lastDay}`
  if (!quote.traded) return quote.lacksBar ? '缺行情' : '停牌'
  if (!(quote.close > 0)) return quote.isUnquoted ? unquoted : '没有价格'
  return null
}

/** Why a holding cannot be sold any more; null: it can. A bond that has ended is a claim on its payment. */
export function unsellable(quote: Quote | undefined, tradeDate: string): string | null {
  if (!quote || quote.lastDay === null || quote.lastDay >= tradeDate) return null
  return `最后交易日 ${quote.lastDay} 已过，${endWords[quote.endKind ?? 'ended']}，不能再卖出`
}

const endWords: Readonly<Record<EndKind, string>> = {
  called: '强赎待兑付',
  matured: '到期待兑付',
  converted: '已停止交易',
  delisted: '已退市或摘牌',
  ended: '已不再交易',
}

/** What to know before a security is traded: its call or `强赎计数 8/15`, its last day, that it is suspended or its price is no close of the day. */
export function warningsOf({ callStatus, callCount, callNeed, lastDay, traded, lacksBar, isEarly }: Quote): string[] {
  const counted = callCount > 0 ? [`强赎计数 ${callCount}${callNeed > 0 ? `/${callNeed}` : ''}`] : []
  const status = valuesOf(callStatuses)[callStatus] ?? 'none'
  return [
    ...(status === 'none' ? counted : [labelOf(callStatuses, status)]),
    ...(lastDay === null ? [] : [`最后交易日 ${lastDay}`]),
    ...(traded ? [] : [lacksBar ? '缺行情，价格为最近收盘价' : '停牌']),
    ...(isEarly ? ['参考价是收盘前的报价'] : []),
  ]
}
