/** What is wrong with whole days: trading days without a row, days that are cut short, bonds whose codes were swapped. */

import type { Finding } from '../../db/tables/quality.ts'
import { tradingDays } from '../calendar.ts'
import { marketOf } from '../market-rules.ts'
import type { Arranged } from './arrange.ts'
import type { Preset } from './presets.ts'

/** @param preset what of it is tolerated, by the keys of the checks */
export function judgeDays(table: Arranged, preset: Pick<Preset, 'tolerate'> | null): Finding[] {
  return [missingDays(table), shortDays(table, preset), repeatedDays(table), jumps(table)].filter((finding) => finding !== null)
}

function missingDays({ dates }: Arranged): Finding | null {
  const there = new Set(dates)
  const missing = tradingDays(dates[0]!, dates.at(-1)!).filter((date) => !there.has(date))
  if (missing.length === 0) return null
  return { check: 'missing_days', level: 'warning', count: missing.length, text: '交易日没有任何数据', examples: missing.slice(0, 5) }
}

/** A day with far fewer rows than the day before: told; the last day with hardly any is a file that was cut while it was written. */
function shortDays({ dates, stride, traded, kind }: Arranged, preset: Pick<Preset, 'tolerate'> | null): Finding | null {
  if (kind === 'index') return null
  const counts = dates.map((_, t) => {
    let count = 0
    for (let at = t * stride, end = at + stride; at < end; at++) count += traded[at]!
    return count
  })
  // In a small market a few that stand still are more than 5 %.
  const isShort = (t: number) => counts[t - 1]! >= 20 && counts[t]! < 0.95 * counts[t - 1]! && counts[t - 1]! - counts[t]! > 3
  const short = dates.flatMap((date, t) => (t > 0 && isShort(t) ? [{ date, t }] : []))
  if (short.length === 0) return null
  const tell = ({ date, t }: { date: string; t: number }) => `${date}：${counts[t - 1]} → ${counts[t]}`
  const last = short.at(-1)!
  const tolerated = preset?.tolerate?.['short_last_day']
  if (last.t === dates.length - 1 && counts[last.t]! < 0.8 * counts[last.t - 1]! && tolerated === undefined) {
    return {
      check: 'short_last_day',
      level: 'fault',
      count: 1,
      text: '最后一个交易日的数据不完整，文件可能没有下载完',
      examples: [tell(last)],
    }
  }
  const text = `有成交的数量比前一交易日少 5% 以上${tolerated === undefined ? '' : `（${tolerated}）`}`
  return { check: 'short_days', level: 'warning', count: short.length, text, examples: short.slice(-5).map(tell) }
}

/** Columns of a day's trades: two days on which most securities have the same of all of them are one day, written twice. */
const ofTrades = ['close', 'open', 'high', 'low', 'vol', 'amount']

function repeatedDays({ kind, dates, stride, securities, traded, columns }: Arranged): Finding | null {
  const [first, ...others] = ofTrades.flatMap((key) => columns.get(key)?.cells ?? [])
  if (kind === 'index' || !first || !(columns.has('vol') || columns.has('amount'))) return null
  const isSame = (cells: ArrayLike<number>, at: number) => Object.is(cells[at], cells[at - stride])
  const repeated: string[] = []
  for (let t = 1; t < dates.length; t++) {
    let [both, same] = [0, 0]
    for (let at = t * stride; at < t * stride + securities.length; at++) {
      if (traded[at] === 0 || traded[at - stride] === 0) continue
      both++
      // Nearly every close is another.
      if (isSame(first, at) && others.every((cells) => isSame(cells, at))) same++
    }
    if (both >= 20 && same * 2 > both) repeated.push(`${dates[t]}：${same} 只与 ${dates[t - 1]} 相同`)
  }
  if (repeated.length === 0) return null
  const text = '多数证券的价格和成交与前一交易日完全相同，来源可能把前一天的行情又写了一遍'
  return { check: 'repeated_days', level: 'warning', count: repeated.length, text, examples: repeated.slice(0, 5) }
}

/** A conversion value that jumps while the conversion price stays: two bonds changed places, or the stock price is of another share. */
function jumps({ kind, dates, stride, listed, columns, securities }: Arranged): Finding | null {
  const value = columns.get('conv_value')?.cells
  const price = columns.get('conv_price')?.cells
  if (!marketOf(kind)?.hasIssuerStock || value === undefined || price === undefined) return null
  const found: string[] = []
  // Since the last day that has them: a row in between may be in quarantine.
  const lastValue = new Float64Array(securities.length).fill(Number.NaN)
  const lastPrice = new Float64Array(securities.length).fill(Number.NaN)
  for (let t = 0; t < dates.length; t++) {
    for (let i = 0; i < securities.length; i++) {
      const at = t * stride + i
      if (listed[at] === 0 || value[at] !== value[at]) continue
      if (price[at] === lastPrice[i] && Math.abs(Math.log(value[at]! / lastValue[i]!)) > 0.35) {
        found.push(`${securities[i]!.code} ${dates[t]}：${lastValue[i]!.toFixed(2)} → ${value[at]!.toFixed(2)}`)
      }
      lastValue[i] = value[at]!
      lastPrice[i] = price[at]!
    }
  }
  if (found.length === 0) return null
  return {
    check: 'swapped',
    level: 'warning',
    count: found.length,
    text: '转股价未变而转股价值突变，可能有代码错位',
    examples: found.slice(0, 5),
  }
}
