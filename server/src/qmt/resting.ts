import { restWords } from '@convexa/contract/alert-text'
import type { Kysely } from 'kysely'
import { shanghaiDate } from '../base/time.ts'
import type { Database } from '../db/tables.ts'
import { codeNow } from './codes-of-now.ts'
import type { ConfigRow } from './configs.ts'
import { openOrders } from './journals.ts'
import type { MarketDay } from './market-day.ts'

const sideWords = { buy: '买入', sell: '卖出' } as const

/**
 * Codes of now of which the client of a config that trades for real orders nothing, with the reason: an order has no end, or the account
 * does not fit the book.
 */
export async function restingOf(db: Kysely<Database>, config: ConfigRow, day: MarketDay, now: Date): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>()
  if (!config.holdings_real) return reasons
  for (const { code, why } of config.resting ?? []) {
    // While an event is still to come the client sells what is there.
    const until = why === 'event' ? '相符之前不买入' : '恢复之前不买卖'
    if (why !== 'order') reasons.set(codeNow(day, code), `暂停：${restWords[why]}，${until}`)
  }
  const today = shanghaiDate(now)
  for (const order of await openOrders(db, config)) reasons.set(codeNow(day, order.code), waitsFor(order, today))
  return reasons
}

type Order = Awaited<ReturnType<typeof openOrders>>[number]

function waitsFor({ status, side, trade_date, settled_filled }: Order, today: string): string {
  const order = `${trade_date} 的${sideWords[side]}委托`
  if (settled_filled !== null) return `待核对：${order}已回答，客户端收到之前不买卖`
  const isAsked = status === 'unsure' || trade_date < today
  return isAsked ? `待核对：${order}不知道是否成交，回答之前不买卖` : `${order}还没有结束，结束之前不买卖`
}
