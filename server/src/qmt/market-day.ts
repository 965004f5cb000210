import type { FactorRef, MarketId } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { compileRef, type ExDay, lastDayOn, markets, type Security } from '@convexa/engine'
import { ApiError, throwApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import { type QuoteSnapshot, readTape } from '../feeds/live/quote-store.ts'
import { addDays, lastClosedDay, tradingDays } from '../market/calendar.ts'
import { keptChanges } from '../market/code-changes.ts'
import { lastExpectedDay, nextExpectedDay } from '../market/expected-days.ts'
import { knownMembers } from '../market/known-members.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { type LoadedMarket, loadedMarket } from '../quant/loaded-market.ts'
import { forCompute, namesWith, type OwnFactor } from '../quant/own-factors.ts'
import { type Renamed, renamedBy, underNewCodes, withFormerCodes } from './codes-of-now.ts'
import { type EndKind, endKindOf } from './end-kind.ts'

export type QmtDeps = Pick<AppContext, 'db' | 'config' | 'compute' | 'now'>

/** What trading needs to know of a security on the day of the signal. NaN: the data do not say. */
export interface Quote {
  readonly code: string
  readonly name: string
  /** As it is traded: of back-adjusted data by quotes, of which nothing but a close of the signal's day tells it. */
  readonly close: number
  /** `close` is a quote of the day before its close: near enough for volumes, and nothing to compare a terminal's close with. */
  readonly isEarly?: true
  /** The data are back-adjusted and there is no quote of the day: its price is not known. */
  readonly isUnquoted?: true
  /** 万元 */
  readonly amount: number
  readonly size: number
  readonly volatility: number
  /** Place in `callStatuses`, of a bond. */
  readonly callStatus: number
  /** Days of the call's clause that are counted, and that it needs. */
  readonly callCount: number
  readonly callNeed: number
  readonly listed: boolean
  readonly traded: boolean
  /** Neither a bar nor a suspension of the day has come: `traded` is false, and nobody knows. */
  readonly lacksBar?: boolean
  /** Its last day of trading, once that is known. */
  readonly lastDay: string | null
  /** Why it is its last day, as far as the data say. */
  readonly endKind?: EndKind
  /** Dividends and splits, ascending, where the data say them (shares). */
  readonly exDays?: readonly ExDay[]
  /** Statutory, as fractions. */
  readonly fees: { readonly stampSell: number; readonly transfer: number }
  readonly lot: { readonly min: number; readonly step: number }
  /** Values of the factors that were asked for besides. */
  readonly values: ReadonlyMap<FactorRef, number>
}

/** The newest data of a market, seen by somebody who trades on it. */
export interface MarketDay {
  readonly kind: MarketId
  readonly market: LoadedMarket
  readonly signalDate: string
  readonly tradeDate: string
  /** The trade date lies in a year whose closed days are not known yet: fit for a preview alone. */
  readonly isDateExpected: boolean
  /** The data are not of the newest day that has closed. */
  readonly stale: boolean
  /** By the codes of the trade date and by former ones. */
  readonly quotes: ReadonlyMap<string, Quote>
  /** By former code, the changes that the trade date has reached. */
  readonly renamed: ReadonlyMap<string, Renamed>
}

/** The day on which a signal of now is traded: the first trading day that has not closed. @throws ApiError 21009 beyond the calendar */
export function tradeDateAt(now: Date): string {
  const closed = lastClosedDay(now)
  return knownTradeDate(closed) ?? beyondCalendar()
}

const knownTradeDate = (closed: string): string | undefined => tradingDays(addDays(closed, 1), addDays(closed, 30))[0]

/** Whether a time of a trading day, HH:MM:SS in Shanghai, has come: between the end of a config's window and the close nothing more is traded on that day. */
export const isOver = (tradeDate: string, time: string, now: Date): boolean => shanghaiTime(now).slice(0, 19) >= `${tradeDate}T${time}`

function beyondCalendar(): never {
  throw new ApiError(errorCodes.noCalendar, '下一个交易日不在交易日历里，暂不能生成交易清单，请等待平台更新')
}

const deadlineMs = 20_000
/** By the names that `Quote` has for them. */
const refsOf = (
  kind: MarketId,
): Record<'close' | 'amount' | 'size' | 'volatility' | 'callStatus' | 'callCount' | 'callNeed', FactorRef> => ({
  close: 'close',
  amount: 'amount',
  size: markets[kind].roles.size,
  volatility: markets[kind].roles.volatility,
  callStatus: 'call_status',
  callCount: 'redeem_count',
  callNeed: 'redeem_need',
})

/** The last day of what has ended without anybody knowing before. */
const passedDay = ({ lastDay, lastDayKnown }: Security, date: string): string | null =>
  lastDayKnown === null && lastDay !== null && lastDay <= date ? lastDay : null

/** @throws ApiError 21008 no data, 50301 no worker */
export async function marketDay(
  { db, config, compute, now }: QmtDeps,
  userId: string,
  kind: MarketId,
  signal: AbortSignal,
  more: { refs?: readonly FactorRef[]; own?: readonly OwnFactor[] } = {},
): Promise<MarketDay> {
  const market = await loadedMarket(db, config.dataDir, kind)
  const names = namesWith(market, more.own ?? [])
  const refs = refsOf(kind)
  const wantedRefs = [...new Set([...Object.values(refs), ...(more.refs ?? [])])].filter((ref) => compileRef(ref, names).ok)
  const [section, members, changes] = await Promise.all([
    compute.call(
      'crossSection',
      market.ref,
      { refs: wantedRefs, date: null, ...forCompute(more.own ?? []) },
      { deadlineMs, asker: { id: userId }, signal },
    ),
    knownMembers(snapshotPath(config.dataDir, market.snapshot)),
    keptChanges(db),
  ])
  const signalDate = section.trade_date
  const rowOf = new Map(section.codes.map((code, row) => [code, row]))
  const columnOf = new Map(section.columns.map((ref, column) => [ref, column]))
  const value = (code: string, ref: FactorRef): number => {
    const [row, column] = [rowOf.get(code), columnOf.get(ref)]
    return row === undefined || column === undefined ? Number.NaN : (section.values[column]?.[row] ?? Number.NaN)
  }
  const tape = adjustments[market.adjust].anchor === 'first' ? ((await readTape(db))?.tape ?? null) : undefined
  const quotedPrice = tape === undefined ? null : closesOf(tape, signalDate)
  const quotes = members.map(({ security, listed, traded, lacksBar }): [string, Quote] => {
    const { code, name } = security
    const quoted = quotedPrice?.(security)
    const close = quoted ? quoted.close : value(code, refs.close)
    return [
      code,
      {
        ...{ code, name, listed, traded, lacksBar },
        close,
        ...(quoted && !(close > 0) ? { isUnquoted: true as const } : {}),
        ...(quoted?.isEarly && { isEarly: true as const }),
        amount: value(code, refs.amount),
        size: value(code, refs.size),
        volatility: value(code, refs.volatility),
        callStatus: value(code, refs.callStatus),
        callCount: value(code, refs.callCount),
        callNeed: value(code, refs.callNeed),
        lastDay: lastDayOn(security, signalDate) ?? passedDay(security, signalDate),
        endKind: endKindOf(kind, security),
        ...(security.exDays && { exDays: security.exDays }),
        lot: markets[kind].lot(security, signalDate),
        fees: markets[kind].fees(security, signalDate),
        values: new Map((more.refs ?? []).map((ref) => [ref, value(code, ref)])),
      },
    ]
  })
  const at = now()
  const knownDate = knownTradeDate(lastClosedDay(at))
  const tradeDate = knownDate ?? nextExpectedDay(lastExpectedDay(at))
  const renamed = renamedBy(
    changes.map(({ change }) => change),
    tradeDate,
  )
  const byCode = withFormerCodes(
    quotes,
    members.map(({ security }) => security),
  )
  return {
    ...{ kind, market, signalDate, tradeDate, renamed },
    isDateExpected: knownDate === undefined,
    stale: signalDate < lastClosedDay(at),
    quotes: underNewCodes(byCode, renamed),
  }
}

/**
 * Closes of the signal's day by quotes; NaN where they do not tell. Those of that day: the last price, `isEarly` where it was made before the
 * close. Those of the next trading day: their previous close, which the exchange lowers on an ex-day, with that taken back.
 */
export function closesOf(
  tape: QuoteSnapshot | null,
  signalDate: string,
): (security: Pick<Security, 'code' | 'exDays'>) => { close: number; isEarly: boolean } {
  const isOfSignal = tape?.date === signalDate
  const isOfNext = tape?.date === knownTradeDate(signalDate)
  const prices = isOfSignal ? tape.columns.get('close') : isOfNext ? tape?.columns.get('pre_close') : undefined
  const rowOf = new Map(prices ? tape?.codes.map((code, row) => [code, row]) : [])
  const closedAt = Date.parse(`${signalDate}T15:00:00+08:00`)
  return ({ code, exDays }) => {
    const row = rowOf.get(code) ?? -1
    const price = prices?.[row] ?? Number.NaN
    if (isOfSignal) return { close: price, isEarly: price > 0 && !(tape.madeAt[row]! >= closedAt) }
    const ex = exDays?.find(({ date }) => date === tape?.date)
    return { close: ex && price > 0 ? price * (1 + ex.ratio) + ex.cash : price, isEarly: false }
  }
}

/** What a terminal is given must be of the real market, of its newest closed day, and for a day that is known to trade. @throws ApiError 24011, 21009, 24006 */
export function needTradable({ market, stale, signalDate, isDateExpected }: MarketDay): void {
  needReal(market)
  if (isDateExpected) beyondCalendar()
  if (stale) throw new ApiError(errorCodes.staleSignal, `信号数据不是最新交易日（数据截至 ${signalDate}），已停止导出`)
}

/** @throws ApiError 24011 */
export function needReal({ snapshot }: LoadedMarket): void {
  if (isSynthetic(snapshot.dataMode)) throwApiError(errorCodes.demoTrading)
}
