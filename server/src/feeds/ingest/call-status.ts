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

const status = Object.fromEntries(callStatuses.map((key, index) => [key, index])) as Record<(typeof callStatuses)[number], number>

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
    if (last?.status === 'called') return status.announced
    if (last?.status === 'matures') return status.maturity
    if (last?.status === 'will_call' && daysBetween(last.announced, date) <= lapseDays) return status.notice
    if (!last && before(row) > status.met) return before(row)
    const count = counts?.[row] ?? Number.NaN
    if (count !== count) return last ? status.none : before(row)
    return count >= (bonds.get(code)?.security.terms?.redeem?.days ?? Number.NaN) ? status.met : status.none
  })
}

/** Days that count up to the new one, by row; null where no clause or no price is known. */
function countsOn({ table, past, bonds }: Omit<BondsOfDay, 'facts'>, columns: ReadonlyMap<string, Float64Array>) {
  const { counted, stride: places } = past
  if (counted === null) return null
  const { date, codes } = table
  const own = codes.map((code) => bonds.get(code)!)
  const [days, stride] = [counted.dates.length, codes.length]
  const over = <C extends Float64Array | Uint8Array>(out: C, cells: C | undefined, today: (row: number) => number): C => {
    own.forEach(({ place }, row) => {
      for (let t = 0; t < days; t++)
        out[t * stride + row] = place === undefined ? out[t * stride + row]! : (cells?.[t * places + place] ?? Number.NaN)
      out[days * stride + row] = today(row)
    })
    return out
  }
  const size = (days + 1) * stride
  const joined = (key: string): [string, Float64Array] => [
    key,
    over(new Float64Array(size).fill(Number.NaN), counted.columns.get(key), (row) => columns.get(key)?.[row] ?? Number.NaN),
  ]
  return (
    countRedeemDays({
      dates: [...counted.dates, date],
      securities: own.map(({ security }) => security),
      stride,
      listed: over(new Uint8Array(size), counted.listed, () => 1),
      columns: new Map([joined('close_stk'), joined('conv_price')]),
    })?.subarray(days * stride) ?? null
  )
}
