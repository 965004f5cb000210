/** How often each provider was asked, against what it allows (providers.md 1, 10.1), as the stand-ins counted it. */
import { roundAt } from '../../src/feeds/round-hours.ts'
import { todayAt } from './moments.ts'
import type { Called } from './teller.ts'

/** Most calls in a time, and how many there may be. */
export interface CallCount {
  readonly what: string
  readonly most: number
  readonly allowed: number
}

export const tusharePerMinute = 200

const [minuteMs, hourMs] = [60_000, 3_600_000]

export function callCounts(calls: readonly Called[]): CallCount[] {
  const of = (provider: string, api?: string) =>
    calls.filter((call) => call.provider === provider && (api === undefined || call.api === api))
  const apis = [...new Set(of('tushare').map(({ api }) => api))]
  const mostOfApis = (within: number) => Math.max(0, ...apis.map((api) => mostWithin(of('tushare', api), within)))
  const inRound = ({ at }: Called) => String(roundAt(at).began)
  const onDay = ({ at }: Called) => todayAt(at)
  return [
    { what: 'Tushare: calls of one api in a minute', most: mostOfApis(minuteMs), allowed: tusharePerMinute },
    { what: 'Tushare: calls of one api in an hour', most: mostOfApis(hourMs), allowed: 60 * tusharePerMinute },
    { what: 'Tushare: calls in a day', most: mostIn(of('tushare'), onDay), allowed: 100_000 },
    { what: 'BaoStock: logins in a round', most: mostIn(of('baostock', 'login'), inRound), allowed: 1 },
    { what: 'Eastmoney: calls in a second', most: mostWithin(of('eastmoney'), 1_000), allowed: 1 },
    { what: 'Eastmoney: bars in a round', most: mostIn(of('eastmoney', 'kline'), inRound), allowed: 400 },
    { what: 'Jisilu: calls in a minute', most: mostWithin(of('jisilu'), minuteMs), allowed: 1 },
    { what: 'Jisilu: calls in a round', most: mostIn(of('jisilu'), inRound), allowed: 30 },
    { what: 'calls of sources that had said to wait', most: calls.filter(({ ofRest }) => ofRest).length, allowed: 0 },
  ]
}

/** Within any so many ms, not by the minute of a clock. */
function mostWithin(calls: readonly Called[], within: number): number {
  let most = 0
  for (let [first, last] = [0, 0]; last < calls.length; last++) {
    while (calls[last]!.at - calls[first]!.at >= within) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

function mostIn(calls: readonly Called[], key: (call: Called) => string): number {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(key(call), (counts.get(key(call)) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

/** Calls of each provider in its fullest hour and on its fullest day. */
export function fullest(calls: readonly Called[]): string {
  return [...new Set(calls.map(({ provider }) => provider))]
    .sort()
    .map((provider) => {
      const own = calls.filter((call) => call.provider === provider)
      return `${provider} ${own.length} (${mostWithin(own, hourMs)} an hour, ${mostIn(own, ({ at }) => todayAt(at))} a day)`
    })
    .join(', ')
}
