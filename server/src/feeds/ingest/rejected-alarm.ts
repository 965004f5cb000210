/** The alarm of rejected rows: what ten rows of a day could hide is one source that is wrong for the same few every day (providers.md 10.6). */

import { namedList } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import type { NewDay } from '../../market/append-day.ts'
import type { DayTable } from '../rows.ts'
import { didTrade } from './outsiders.ts'
import type { Past } from './past.ts'

/** Trading days in a row on which a security's row was put aside: then its source may be wrong every day, and an operator has to look. */
export const daysOfAlarm = 3

/**
 * Codes whose row of a day was rejected, ascending: the row did not pass the checks, repeats the day before, could not be parsed, or was
 * replaced by another source's. Codes that nothing was ever published of are among them.
 *
 * @param table without rows of what has ended
 */
export function rejectedCodes(table: DayTable, { securities, traded }: Pick<NewDay, 'securities' | 'traded'>): string[] {
  const counts = new Set(securities.flatMap(({ code }, i) => (traded[i] === 1 ? [code] : [])))
  const leftOut = table.codes.filter((code, i) => !counts.has(code) && didTrade(table, i))
  return [...new Set([...leftOut, ...(table.unread ?? []), ...(table.replaced ?? [])])].sort()
}

/**
 * Whether a row was rejected on the days before too, from whichever source its replacement came. Imported days say which rows were put
 * aside.
 */
export const wasRejectedBefore = (
  { aside }: Past,
  { rejectedBefore = [] }: { readonly rejectedBefore?: readonly ReadonlySet<string>[] },
  code: string,
): boolean =>
  Array.from({ length: daysOfAlarm - 1 }, (_, back) => rejectedBefore[back]?.has(code) || (aside[code]?.days ?? 0) > back).every(Boolean)

export function asideAgain(codes: readonly string[]): Finding[] {
  if (codes.length === 0) return []
  return [
    {
      ...{ check: 'put_aside_again', level: 'warning', count: codes.length, examples: [] },
      text: `连续 ${daysOfAlarm} 个交易日以上被隔离，请核对数据源：${namedList(codes, 10)}`,
    },
  ]
}
