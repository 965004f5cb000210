import type { Finding } from '../../db/tables/quality.ts'
import { leastRepeated } from '../../market/import/no-trade.ts'
import type { DayTable } from '../rows.ts'
import { only } from '../source/columns.ts'
import { sharesPerHand } from './bond-columns.ts'
import type { Past } from './past.ts'

/** A column of a table and the one in which it is stored; `scale`: units of the table in one of the store's. */
type Measure = readonly [of: string, stored: string, scale: number]
const own: readonly Measure[] = ['close', 'vol', 'amount'].map((key) => [key, key, 1])
const ofShare: readonly Measure[] = [
  ['close', 'close_stk', 1],
  ['vol', 'vol_stk', sharesPerHand],
  ['amount', 'amount_stk', 1],
]

/**
 * The table without rows that repeat what is stored of the security's last trade, by the rule of imports (`no-trade.ts`): they are no trade
 * of the day. A security named as suspended is suspended; the bar of any other has not come. `repeated`: their codes.
 */
export function withoutRepeats(past: Past, table: DayTable): { readonly table: DayTable; readonly repeated: readonly string[] } {
  const places = new Map(past.securities.map(({ code }, place) => [code, place]))
  const repeated = repeatedIn(past, table, own, places, (cell) => past.traded[cell] === 1)
  return { table: without(table, repeated), repeated }
}

/**
 * The same of the shares on a bond's day, by what is stored with the bond: a share that did not trade counts no day of a clause. The report
 * of the shares' own day names them.
 */
export function withoutRepeatedShares(past: Past, shares: DayTable): DayTable {
  const places = new Map(past.securities.flatMap(({ stockCode }, place) => (stockCode === undefined ? [] : [[stockCode, place]])))
  const volumes = past.columns.get('vol_stk')
  return without(
    shares,
    repeatedIn(past, shares, ofShare, places, (cell) => volumes![cell]! > 0),
  )
}

function repeatedIn(
  past: Past,
  table: DayTable,
  measures: readonly Measure[],
  places: ReadonlyMap<string, number>,
  didTrade: (cell: number) => boolean,
): string[] {
  const pairs = measures.flatMap(([of, stored, scale]) => {
    const [now, then] = [table.columns.get(of), past.columns.get(stored)]
    return now && then ? [{ now, then, scale }] : []
  })
  if (pairs.length < measures.length) return []
  const lastTrade = (code: string): number => {
    const place = places.get(code)
    if (place === undefined) return -1
    let cell = (past.dates.length - 1) * past.stride + place
    while (cell >= 0 && !didTrade(cell)) cell -= past.stride
    return cell
  }
  const amount = table.columns.get('amount')!
  return table.codes.filter((code, i) => {
    if (!(amount[i]! >= leastRepeated)) return false
    const cell = lastTrade(code)
    return cell >= 0 && pairs.every(({ now, then, scale }) => isStoredAs(now[i]! / scale, then[cell]!))
  })
}

/** Whether a number is the stored one: some columns keep it in 32 bits. */
const isStoredAs = (now: number, then: number): boolean => Object.is(now, then) || Object.is(Math.fround(now), then)

function without(table: DayTable, codes: readonly string[]): DayTable {
  if (codes.length === 0) return table
  const left = new Set(codes)
  return only(table, (code) => !left.has(code))
}

export const repeatedFinding = (codes: readonly string[]): Finding[] =>
  codes.length === 0
    ? []
    : [
        {
          ...{ check: 'repeated_rows', level: 'warning', count: codes.length, examples: codes.slice(0, 5) },
          text: '收盘价、成交量和成交额与该证券上一次成交完全相同，不是当天的行情，未采用',
        },
      ]
