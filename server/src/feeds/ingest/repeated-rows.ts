import type { Finding } from '../../db/tables/quality.ts'
import { leastRepeated } from '../../market/import/no-trade.ts'
import type { DayTable } from '../rows.ts'
import { only } from '../source/columns.ts'
import type { Past } from './past.ts'

const measures = ['close', 'vol', 'amount'] as const

/**
 * The table without rows that repeat what is stored of the security's last trade, by the rule of imports (`no-trade.ts`): they are no trade
 * of the day. A security named as suspended is suspended; the bar of any other has not come. `repeated`: their codes.
 */
export function withoutRepeats(past: Past, table: DayTable): { readonly table: DayTable; readonly repeated: readonly string[] } {
  const [now, then] = [table.columns, past.columns].map((columns) => measures.map((key) => columns.get(key)))
  if (now!.includes(undefined) || then!.includes(undefined)) return { table, repeated: [] }
  const places = new Map(past.securities.map(({ code }, place) => [code, place]))
  const lastTrade = (code: string): number => {
    const place = places.get(code)
    if (place === undefined) return -1
    let cell = (past.dates.length - 1) * past.stride + place
    while (cell >= 0 && past.traded[cell] === 0) cell -= past.stride
    return cell
  }
  const amount = table.columns.get('amount')!
  const repeated = table.codes.filter((code, i) => {
    if (!(amount[i]! >= leastRepeated)) return false
    const cell = lastTrade(code)
    return cell >= 0 && measures.every((_, k) => Object.is(now![k]![i], then![k]![cell]))
  })
  if (repeated.length === 0) return { table, repeated }
  const isRepeated = new Set(repeated)
  return { table: only(table, (code) => !isRepeated.has(code)), repeated }
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
