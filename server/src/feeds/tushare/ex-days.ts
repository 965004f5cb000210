import type { Offers } from '../feed.ts'
import { compactDate, dateCell } from '../source/cell.ts'
import { readable } from '../source/readable.ts'
import type { TushareApi } from './api.ts'

/**
 * Shares that pay or split on a day, one call for all (`dividend`). Rights issues are not in it: of a share without a row nothing is said,
 * not that nothing goes out of it.
 */
export const tushareExDays =
  (call: TushareApi): Required<Pick<Offers, 'ex-days'>>['ex-days'] =>
  async ({ date, codes }, asking) => {
    const wanted = new Set(codes)
    const rows = await call('dividend', { ex_date: compactDate(date) }, ['ts_code', 'ex_date'], asking)
    const found = readable(
      rows.filter((row) => wanted.has(String(row('ts_code')))),
      (row) => (dateCell(row('ex_date'), `${String(row('ts_code'))} 的 ex_date`) === date ? [String(row('ts_code'))] : []),
      asking,
    )
    return [...new Set(found)].sort().map((code) => ({ code, date }))
  }
