/**
 * The call status of bonds on a new day, in markets that keep it: what was announced stands, a hint for sixty days; else the days that the clause
 * counts say whether its condition is met. That is so on one day and not on the next: it is never taken from the day before.
 */
import { callStatuses, countRedeemDays, lapseDays, type Security } from '@convexa/engine'
import { daysBetween } from '../../market/calendar.ts'
import type { DayTable } from '../rows.ts'
import type { Facts } from './facts.ts'
import type { Past } from './past.ts'

/** Bonds on a new day. */
export interface BondsOfDay {
  /** A row for each bond that is listed. */
  readonly table: DayTable
  readonly past: Past
  readonly facts: Facts
  /** By code. */
  readonly bonds: ReadonlyMap<string, { readonly security: Security; readonly place: number | undefined }>
}

const placeOf = (status: (typeof callStatuses)[number]): number => callStatuses.indexOf(status)

/** `columns`: those of the day, by row of its table; `before`: what the day before said of a row. NaN where nobody can say. */
export function callStatusesOn(
  { table, past, facts, bonds }: BondsOfDay,
  columns: ReadonlyMap<string, Float64Array>,
  before: (row: number) => number,
): Float64Array {
  const { date, codes } = table
  const counts = countsOn({ table, past, bonds }, columns)
  return Float64Array.from(codes, (code, row) => {
    const last = facts.calls.get(code)?.findLast(({ announced }) => announced < date)
    if (last?.status === 'called') return placeOf('announced')
    if (last?.status === 'matures') return placeOf('maturity')
    if (last?.status === 'will_call' && daysBetween(last.announced, date) <= lapseDays) return placeOf('notice')
    if (!last && before(row) > placeOf('met')) return before(row)
    const count = counts?.[row] ?? Number.NaN
    if (count !== count) return last ? placeOf('none') : before(row)
    return placeOf(count >= (bonds.get(code)?.security.terms?.redeem?.days ?? Number.NaN) ? 'met' : 'none')
  })
}

/** Days that count up to the new one, by row; null where no clause or no price is known. */
function countsOn({ table, past, bonds }: Omit<BondsOfDay, 'facts'>, columns: ReadonlyMap<string, Float64Array>) {
  const { counted } = past
  if (counted === null) return null
  const { date, codes } = table
  const own = codes.map((code) => bonds.get(code)!)
  const stride = codes.length
  const before = counted.dates.length
  /** By day and row of the table: what was on the days before, by place, and today's behind it. */
  const joined = (cells: ArrayLike<number> | undefined, today: (row: number) => number) =>
    Float64Array.from({ length: (before + 1) * stride }, (_, at) => {
      const [t, row] = [Math.floor(at / stride), at % stride]
      if (t === before) return today(row)
      const { place } = own[row]!
      return place === undefined ? Number.NaN : (cells?.[t * past.stride + place] ?? Number.NaN)
    })
  const prices = ['close_stk', 'conv_price'].map((key): [string, Float64Array] => [
    key,
    joined(counted.columns.get(key), (row) => columns.get(key)?.[row] ?? Number.NaN),
  ])
  const panel = {
    dates: [...counted.dates, date],
    securities: own.map(({ security }) => security),
    stride,
    listed: Uint8Array.from(joined(counted.listed, () => 1)),
    columns: new Map(prices),
  }
  return countRedeemDays(panel)?.subarray(before * stride) ?? null
}
