import type { ForwardReturns, HistoryScreenBody, HistoryScreenResult } from '@convexa/contract'
import { firstFrom } from '../base/calendar.ts'
import type { Problem } from '../expression/index.ts'
import { withDerived } from '../market/derived-columns.ts'
import type { Market } from '../market/market.ts'
import { placesByCode } from '../panel/codes.ts'
import type { Panel } from '../panel/panel.ts'
import { screen } from './screen.ts'

export interface HistoryRequest extends Pick<HistoryScreenBody, 'parameters' | 'need' | 'latest' | 'path'> {
  readonly dates: readonly string[]
  /** Trading days after each date. */
  readonly forward: readonly number[]
}

type Result = Omit<HistoryScreenResult['results'][number], 'data_time' | 'realtime'>

/**
 * The screen on some days of the past, each with what became of its list and of its pool. The lists know nothing of it: the returns are looked up
 * when they are made. Of several days only the selected are listed.
 */
export function historyScreen(
  panel: Panel,
  market: Market,
  { parameters, need, dates, forward, latest = false, path = 0 }: HistoryRequest,
): { ok: true; results: Result[] } | { ok: false; problem: Problem } {
  const results: Result[] = []
  for (const date of dates) {
    const day = firstFrom(panel.dates, date)
    if (panel.dates[day] !== date) return { ok: false, problem: noTradingDay(panel, date) }
    // The rows are needed to know who is in the pool, whatever is answered of them.
    const outcome = screen(panel, market, { parameters, day, need: [...new Set([...(need ?? wholeNeed), 'list' as const])] })
    if (!outcome.ok) return outcome
    const { list_items: rows, ...result } = outcome.result
    const wanted = need === undefined || need.includes('list')
    const listed = !wanted ? [] : dates.length > 1 ? rows.filter(({ selected }) => selected) : rows
    const shown = [...listed, ...(result.reserve_items ?? [])]
    const pool = rows.map(({ code }) => code)
    const list = rows.filter(({ selected }) => selected).map(({ code }) => code)
    const after = (horizon: number) => {
      const of = returnsAfter(panel, market, day, horizon)
      return { horizon, list_mean: mean(list.map(of)), pool_mean: mean(pool.map(of)), of }
    }
    const withCodes = (horizon: number): ForwardReturns => {
      const { of, ...means } = after(horizon)
      return { ...means, per_code: Object.fromEntries(shown.map(({ code }) => [code, of(code)])) }
    }
    const left = panel.dates.length - 1 - day
    const steps = Array.from({ length: Math.min(path, left) }, (_, i) => after(i + 1))
    results.push({
      ...result,
      list_items: listed,
      forward: forward.map(withCodes),
      ...(latest && left > 0 ? { latest: withCodes(left) } : {}),
      ...(path > 0 ? { path: { list: steps.map(({ list_mean }) => list_mean), pool: steps.map(({ pool_mean }) => pool_mean) } } : {}),
    })
  }
  return { ok: true, results }
}

const wholeNeed = ['list', 'reserve', 'excluded', 'funnel'] as const

/** Column of the prices whose quotients are returns. */
export function returnPrice(market: Market): string {
  return market.roles.adjustment ? 'adj_close' : 'close'
}

/**
 * Return by code from a day's close to the close `horizon` trading days later, or to the last close before that, so that delisted securities
 * count (no survivorship bias). Null where the data end before.
 */
function returnsAfter(panel: Panel, market: Market, day: number, horizon: number): (code: string) => number | null {
  const then = day + horizon
  const key = returnPrice(market)
  const prices = withDerived(panel, [key]).columns.get(key)
  if (then >= panel.dates.length || !prices) return () => null
  const places = placesByCode(panel.securities)
  return (code) => {
    const i = places.get(code)
    if (i === undefined) return null
    let t = then
    while (t > day && Number.isNaN(prices[t * panel.stride + i])) t--
    const change = prices[t * panel.stride + i] / prices[day * panel.stride + i] - 1
    return Number.isFinite(change) ? change : null
  }
}

function mean(values: readonly (number | null)[]): number | null {
  let sum = 0
  let count = 0
  for (const value of values) {
    if (value === null) continue
    sum += value
    count++
  }
  return count > 0 ? sum / count : null
}

function noTradingDay(panel: Panel, date: string): Problem {
  const [first, last] = [panel.dates[0] ?? '', panel.dates[panel.dates.length - 1] ?? '']
  const inside = date >= first && date <= last
  const reason = inside ? `${date} 不是交易日` : `数据为 ${first} 至 ${last}`
  return { code: 21007, places: [], message: `日期范围无效或超出数据区间（${reason}）` }
}
