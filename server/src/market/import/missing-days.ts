/**
 * Bars of a market that have not come (缺行情): those that lacked before and of which the file has no row that is used, and rows of the file
 * that were put aside. What a row that cannot be used was to say is unknown; it is no suspension.
 */
import { placesByCode } from '@convexa/engine'
import type { MissingDays } from '../store.ts'
import type { Arranged } from './arrange.ts'
import type { Joined } from './merge-into-market.ts'

/**
 * @param before of the stored market
 * @param dropped by row of the joined rows: 1 = not used
 */
export function missingDaysOf(
  before: MissingDays,
  { dates, securities, stride, listed, traded }: Arranged,
  { rows, inside, from }: Pick<Joined, 'rows' | 'inside' | 'from'>,
  dropped: Uint8Array,
): MissingDays {
  const [rowOf, placeOf] = [new Map(dates.map((date, t) => [date, t])), placesByCode(securities)]
  // A bar may have lacked under a former code.
  const codeOf = (code: string) => securities[placeOf.get(code) ?? -1]?.code ?? code
  const lackedBefore = new Map(Object.entries(before).map(([date, codes]) => [date, new Set(codes.map(codeOf))]))
  const lacking = new Map([...lackedBefore].map(([date, codes]) => [date, new Set(codes)]))
  for (let row = from; row < rows.count; row++) {
    if (dropped[row] === 0 || inside?.[row] === 0) continue
    const date = rows.dates[rows.date[row]!]!
    lacking.set(date, (lacking.get(date) ?? new Set()).add(rows.codes[rows.code[row]!]!))
  }
  if (lacking.size === 0) return {}
  const byDate = rows.dates.map((date) => lacking.get(date))
  for (let row = 0; row < rows.count; row++) {
    const codes = byDate[rows.date[row]!]
    if (codes === undefined || dropped[row] === 1) continue
    const code = rows.codes[rows.code[row]!]!
    // The stored row of a day whose bar lacked says nothing of it.
    if (row >= from || !lackedBefore.get(rows.dates[rows.date[row]!]!)?.has(code)) codes.delete(code)
  }
  const open = [...lacking].map(([date, codes]): [string, string[]] => {
    const row = (rowOf.get(date) ?? -1) * stride
    const isOpen = (code: string) => {
      const place = placeOf.get(code)
      return row >= 0 && place !== undefined && listed[row + place] === 1 && traded[row + place] === 0
    }
    return [date, [...codes].filter(isOpen).sort()]
  })
  return Object.fromEntries(open.filter(([, codes]) => codes.length > 0))
}
