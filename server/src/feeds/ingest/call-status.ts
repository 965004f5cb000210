/**
 * The call status of bonds on a new day, in markets that keep it: what was announced stands, a hint for sixty days; else the days that the clause
 * counts say whether its condition is met. That is so on one day and not on the next: it is never taken from the day before.
 */
import { type Counted, callState, callStatus, callStatuses, lapseDays, redeemCounts, type Security, supersedes } from '@convexa/engine'
import type { CallRow } from '../../db/tables/fact-value.ts'
import { daysBetween } from '../../market/calendar.ts'
import type { DayTable } from '../rows.ts'
import { announcementOf } from './call-notices.ts'
import type { Facts } from './facts.ts'
import { countedFields, type Past } from './past.ts'

/** Bonds on a new day. */
export interface BondsOfDay {
  /** A row for each bond that is listed. */
  readonly table: DayTable
  readonly past: Past
  readonly facts: Facts
  readonly callLists?: Counted['callLists']
  /** By code. */
  readonly bonds: ReadonlyMap<string, { readonly security: Security; readonly place: number | undefined }>
}

const placeOf = (status: (typeof callStatuses)[number]): number => callStatuses.indexOf(status)

/**
 * `columns`: those of the day, by row of its table; `before`: what the day before said of a row. NaN where nobody can say. `callLists`: days that
 * lists of announcements cover.
 */
export function callStatusesOn(
  { table, past, facts, bonds, callLists }: BondsOfDay,
  columns: ReadonlyMap<string, Float64Array>,
  before: (row: number) => number,
): Float64Array {
  const { date, codes } = table
  const announced = Float64Array.from(codes, (code, row) => {
    const last = standing(facts.calls.get(code) ?? [], date)
    const stood = before(row)
    // A hint takes nothing back that was published before, in the file that was imported either.
    if (stood > placeOf('notice') && (!last || last.status === 'will_call')) return stood
    if (last?.status === 'called') return placeOf('announced')
    if (last?.status === 'matures') return placeOf('maturity')
    if (last?.status === 'will_call' && daysBetween(last.announced, date) <= lapseDays) return placeOf('notice')
    return !last && stood > placeOf('met') ? stood : placeOf('none')
  })
  const counted = countedTo({ table, past, bonds, callLists }, columns)
  const redeem = counted && redeemCounts(counted)
  if (!counted || !redeem) return announced.map((state, row) => (state > 0 || facts.calls.has(codes[row]!) ? state : before(row)))
  const at = (counted.dates.length - 1) * counted.stride
  const own = new Float64Array(counted.dates.length * counted.stride).fill(Number.NaN)
  own.set(announced, at)
  const states = callStatus(callState({ ...counted, columns: new Map([...counted.columns, ['call_status', own]]) }, redeem))!
  return states.slice(at)
}

/** The notice that says in the morning of a day where a bond stands. That its condition is met is counted, not announced. */
function standing(calls: readonly CallRow[], day: string): CallRow | undefined {
  let last: CallRow | undefined
  for (const call of calls) {
    const kind = announcementOf[call.status]
    if (call.announced >= day || kind === null) continue
    if (supersedes(kind, last && (announcementOf[last.status] ?? undefined))) last = call
  }
  return last
}

/** All days up to the new one, by row of its table: a presumption goes back to a day months before. Null where no price is known. */
function countedTo(
  { table, past, bonds, callLists }: Omit<BondsOfDay, 'facts'>,
  columns: ReadonlyMap<string, Float64Array>,
): Counted | null {
  const { counted } = past
  if (counted === null) return null
  const { date, codes } = table
  const own = codes.map((code) => bonds.get(code)!)
  const stride = codes.length
  const before = counted.dates.length
  /** What was on the days before, by place, and today's behind it. */
  const joined = (cells: ArrayLike<number> | undefined, absent: number, today: (row: number) => number) =>
    Float64Array.from({ length: (before + 1) * stride }, (_, at) => {
      const [t, row] = [Math.floor(at / stride), at % stride]
      if (t === before) return today(row)
      const { place } = own[row]!
      return place === undefined ? absent : (cells?.[t * past.stride + place] ?? absent)
    })
  const read = countedFields.flatMap((key): [string, Float64Array][] => {
    const [then, now] = [counted.columns.get(key), columns.get(key)]
    return then || now ? [[key, joined(then, Number.NaN, (row) => now?.[row] ?? Number.NaN)]] : []
  })
  const volume = table.columns.get('vol')
  return {
    dates: [...counted.dates, date],
    securities: own.map(({ security }) => security),
    stride,
    listed: Uint8Array.from(joined(counted.listed, 0, () => 1)),
    traded: Uint8Array.from(joined(counted.traded, 0, (row) => Number((volume?.[row] ?? 0) > 0))),
    columns: new Map(read),
    ...(callLists && { callLists }),
  }
}
