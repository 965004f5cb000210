import { type Basket, type BasketBody, type Dropped, shown } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { markets } from '@convexa/contract/enums/market'
import { weigh } from '@convexa/engine'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { newestNote } from '../quant/open-parts.ts'
import { basketBytes } from './basket-file.ts'
import { fen, lessThanALot, lotsFor, unbuyable, unquoted, unsellable, warningsOf } from './lots.ts'
import { type MarketDay, marketDay, needTradable, type QmtDeps, type Quote } from './market-day.ts'

/**
 * A list as a file for the terminal:
 *
 * 1. the data are real and of the newest closed day, or nothing is made;
 * 2. each security gets its weight: the given one, or by the way of weighing;
 * 3. weight × (capital − reserve) buys whole lots at the close; what cannot be bought falls away with its reason;
 * 4. sells first, then buys in the order of the list.
 *
 * @throws ApiError 24011 demo data, 24006 data of an older day, 24007 no lot of anything, 40000 duplicates, weights above 1 together
 */
export async function makeBasket(deps: QmtDeps, userId: string, body: BasketBody, signal: AbortSignal): Promise<Basket> {
  const { kind, list_items: items, sell_items: sells = [], trade_date } = body
  if (items.length + sells.length === 0) throwApiError(errorCodes.invalidRequest, '名单里没有证券')
  for (const list of [items, sells])
    if (new Set(list.map(({ code }) => code)).size < list.length) throwApiError(errorCodes.invalidRequest, '同一证券只能出现一次')
  if ([...items, ...sells].some(({ code }) => code.endsWith('.DM'))) throwApiError(errorCodes.demoTrading)
  const day = await marketDay(deps, userId, kind, signal)
  needTradable(day)
  if (trade_date !== undefined && trade_date !== day.signalDate) throwApiError(errorCodes.staleSignal)
  const note = await newestNote(deps, day.market.snapshot)
  return { ...basketOn(day, body), ...(note !== null && { data_note: note }) }
}

export function basketOn(day: MarketDay, body: BasketBody): Basket {
  const { kind, list_items: items, sell_items: sells = [], capital, reserve_cash } = body
  const weights = weightsOf(day, body)
  const dropped: Dropped[] = []
  const drop = (code: string, reason: string): [] => {
    dropped.push({ code, name: day.quotes.get(code)?.name ?? '', reason })
    return []
  }
  const money = capital * 10_000 * (1 - reserve_cash)

  const sold = sells.flatMap(({ code, volume }): Basket['rows'] => {
    const quote = day.quotes.get(code)
    if (!quote) return drop(code, '不在行情数据中')
    if (volume === 0) return drop(code, '数量为 0')
    const over = unsellable(quote, day.tradeDate)
    if (over) return drop(code, over)
    const price = quote.close > 0 ? quote.close : 0
    return [{ ...rowOf(quote), volume, amount: fen(volume * price), weight: 0, side: 'sell', price, rank: null, warnings: [] }]
  })
  const bought = items.flatMap(({ code }, i): Basket['rows'] => {
    const quote = day.quotes.get(code)
    const reason = unbuyable(quote, day.tradeDate)
    if (!quote || reason) return drop(code, reason ?? '')
    const weight = weights[i]!
    const volume = lotsFor(money * weight, quote.close, quote.lot)
    if (volume === 0) return drop(code, lessThanALot(kind, quote))
    return [
      {
        ...rowOf(quote),
        volume,
        amount: fen(volume * quote.close),
        weight: millionth(weight),
        side: 'buy',
        price: quote.close,
        rank: i + 1,
        warnings: warningsOf(quote),
      },
    ]
  })
  const rows = [...sold, ...bought]
  if (rows.length === 0 && dropped.some(({ reason }) => reason === unquoted)) throw new ApiError(errorCodes.tooLittleCash, unquoted)
  if (rows.length === 0) throwApiError(errorCodes.tooLittleCash)
  return {
    file_name: `${fileName(body.name ?? markets[kind].label)}-${day.signalDate.replaceAll('-', '')}-basket.csv`,
    encoding: 'gbk',
    content_base64: basketBytes(rows).toString('base64'),
    rows,
    unused_cash: fen(capital * 10_000 - bought.reduce((sum, { amount }) => sum + amount, 0)),
    dropped,
    warnings: rows.flatMap(({ name, warnings }) => warnings.map((one) => `${name}：${one}`)),
  }
}

const rowOf = ({ code, name }: Quote) => ({ code, name, market: code.slice(7) })

/** Given weights as they are, or all by the way of weighing; never above 1 together. @throws ApiError 40000 */
function weightsOf(day: MarketDay, { list_items: items, hold_weight_type: type }: BasketBody): number[] {
  const given = items.map(({ weight }) => weight)
  if (given.some((weight) => weight !== undefined)) {
    if (given.includes(undefined)) throwApiError(errorCodes.invalidRequest, '名单里有的证券没有权重')
    if (given.reduce<number>((sum, weight) => sum + weight!, 0) > 1 + 1e-6)
      throwApiError(errorCodes.invalidRequest, '权重合计不能超过 100%')
    return given.map((weight) => weight!)
  }
  const { by } = holdWeights[type]
  if (by === 'factor' && items.some(({ score }) => score === undefined))
    throwApiError(errorCodes.invalidRequest, '按得分加权需要每只证券的得分')
  const values = Float64Array.from(items, ({ code, score }) => {
    const quote = day.quotes.get(code)
    return by === 'size' ? (quote?.size ?? Number.NaN) : by === 'volatility' ? (quote?.volatility ?? Number.NaN) : (score ?? Number.NaN)
  })
  const places = items.map((_, i) => i)
  return [...weigh(type, items.length, items.length, 1, places, values)]
}

/** As a file and the wire have it; rounded down, so that a sum of 1 stays within it. */
export const millionth = (weight: number): number => Math.floor(weight * 1e6 + 1e-6) / 1e6

/** What every file system takes. */
export const fileName = (name: string): string => shown(name.replace(/[\\/:*?"<>|\s]/g, '_').replace(/^\.+/, ''), 50) || 'basket'
