/** Where a bond stands with its clauses: the fine states that pages show, and the coarse one of the wire (api.md 7.3). */
import { type CallStatus, callStates, callStatuses as callStatusRows } from '@convexa/contract/enums/call-status'
import { resetStates } from '@convexa/contract/enums/reset-state'
import { valuesOf } from '@convexa/contract/enums/table'
import { dayNumber, firstFrom } from '../base/calendar.ts'
import { type Announcement, type AnnouncementKind, endOfPromise, lapseDays, supersedes } from '../panel/bond-terms.ts'
import { absentColumn, type Panel } from '../panel/panel.ts'
import { type Counted, type RedeemCounts, silence } from './counters.ts'

/** From so many days to go on a trigger is near. */
const nearDays = 5

const callStatuses: readonly CallStatus[] = valuesOf(callStatusRows)
const states = valuesOf(callStates)
const call = indexOf(states)
const reset = indexOf(valuesOf(resetStates))

const coarseOf = Float64Array.from(states, (state) => callStatuses.indexOf(callStates[state].status))
const met = callStatuses.indexOf('met')
/** The state that bears a status's own name. */
const fineOf = callStatuses.map((status) => call[status])

const callSteps: Partial<Record<AnnouncementKind, number>> = {
  redeem_hint: call.notice,
  redeem: call.announced,
  redeem_execution: call.executing,
  maturity: call.maturity,
  no_redeem: call.none,
}

/**
 * 强赎状态: what has been announced; else the promise not to call, the presumption of one, the conversion period, the count. What the data say
 * themselves was announced (`call_status`) stands for the announcements; that the clause was met they do not decide where it can be counted. Absent where neither an announcement nor a known clause says it.
 */
export function callState(panel: Counted, redeem: RedeemCounts | null): Float64Array | null {
  if (!redeem) return null
  const { securities, dates, stride, listed, columns } = panel
  const size = securities.length
  const stating: Stating = {
    ...{ stride, size, listed, counts: redeem.counts, silent: redeem.silent, own: columns.get('call_status') ?? null },
    column: absentColumn({ dates, stride }),
    need: Float64Array.from(securities, ({ terms }) => terms?.redeem?.days ?? Number.NaN),
    opens: Float64Array.from(securities, ({ terms }) => (terms?.conversionStart ? dayNumber(terms.conversionStart) : 0)),
    said: new Int32Array(size),
    stands: new Float64Array(size),
    promised: new Float64Array(size),
  }
  const { said, stands, promised } = stating
  const standing = new Array<AnnouncementKind | undefined>(size)
  const notices = noticesOf(panel, Object.keys(callSteps) as AnnouncementKind[])
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    for (; next < notices.length && notices[next].row <= t; next++) {
      const { security: i, announcement } = notices[next]
      const { kind } = announcement
      if (!supersedes(kind, standing[i])) continue
      standing[i] = kind
      said[i] = callSteps[kind] as number
      stands[i] = kind === 'redeem_hint' ? dayNumber(announcement.date) + lapseDays : Number.POSITIVE_INFINITY
      // A hint says nothing of a promise.
      if (kind !== 'redeem_hint') promised[i] = kind === 'no_redeem' ? dayNumber(endOfPromise(announcement).until) : 0
    }
    stateDay(stating, t, dayNumber(dates[t]))
  }
  return stating.column
}

/** By security what stands of its notices, and the columns that states are made of. */
interface Stating {
  readonly stride: number
  readonly size: number
  readonly listed: Uint8Array
  readonly counts: Float64Array
  readonly silent: Uint8Array
  /** What the data say themselves, by cell. */
  readonly own: Float64Array | null
  /** The states by cell. */
  readonly column: Float64Array
  readonly need: Float64Array
  /** First day on which it may be converted. */
  readonly opens: Float64Array
  readonly said: Int32Array
  /** The last day for which that stands. */
  readonly stands: Float64Array
  readonly promised: Float64Array
}

/** One day of all securities; a function of its own as `countDay` is. */
function stateDay(stating: Stating, t: number, today: number): void {
  const { stride, size, listed, counts, silent, own, column, need, opens, said, stands, promised } = stating
  const { none, presumed, waived, not_convertible: notConvertible, near, counting } = call
  const row = t * stride
  for (let i = 0; i < size; i++) {
    const at = row + i
    if (listed[at] === 0) continue
    const brought = own === null ? Number.NaN : own[at]
    const stated = stands[i] >= today ? said[i] : none
    const counted = counts[at]
    const isCounted = counted === counted
    const decided = brought > 0 ? (brought === met && isCounted ? none : fineOf[brought]) : brought === 0 ? none : stated
    if (decided !== none) column[at] = decided
    else if (silent[at] === silence.presumed) column[at] = presumed
    else if (counted >= need[i] || silent[at] === silence.waiting) column[at] = call.met
    else if (promised[i] >= today) column[at] = waived
    else if (today < opens[i]) column[at] = notConvertible
    else if (need[i] !== need[i]) continue
    else if (counted > 0) column[at] = need[i] - counted <= nearDays ? near : counting
    else column[at] = none
  }
}

/** The wire's `call_status`, for data that have none of their own; `into` may be the fine states, where nobody needs them any more. */
export function callStatus(
  fine: Float64Array | null,
  into: Float64Array | null = fine && new Float64Array(fine.length),
): Float64Array | null {
  if (!fine || !into) return null
  for (let at = 0; at < fine.length; at++) into[at] = fine[at] === fine[at] ? coarseOf[fine[at]] : Number.NaN
  return into
}

/** 下修状态: proposed or refused, else the count. */
export function resetState(panel: Panel, counts: Float64Array | null): Float64Array | null {
  if (!counts) return null
  const { securities, dates, stride, listed } = panel
  const column = absentColumn({ dates, stride })
  const days = Float64Array.from(dates, dayNumber)
  const size = securities.length
  const need = Float64Array.from(securities, ({ terms }) => terms?.reset?.days ?? Number.NaN)
  const proposed = new Float64Array(size)
  const promised = new Float64Array(size)
  const notices = noticesOf(panel, ['reset_proposal', 'reset', 'no_reset'])
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    for (; next < notices.length && notices[next].row <= t; next++) {
      const { security: i, announcement } = notices[next]
      proposed[i] = announcement.kind === 'reset_proposal' ? dayNumber(announcement.date) + lapseDays : 0
      promised[i] = announcement.kind === 'no_reset' ? dayNumber(endOfPromise(announcement).until) : 0
    }
    const row = t * stride
    for (let i = 0; i < size; i++) {
      const at = row + i
      if (listed[at] === 0 || need[i] !== need[i]) continue
      const counted = counts[at]
      if (proposed[i] >= days[t]) column[at] = reset.proposed
      else if (promised[i] >= days[t]) column[at] = reset.declined
      else if (counted !== counted) continue
      else if (counted >= need[i]) column[at] = reset.met
      else if (counted > 0) column[at] = need[i] - counted <= nearDays ? reset.near : reset.counting
      else column[at] = reset.none
    }
  }
  return column
}

interface News {
  readonly row: number
  readonly security: number
  readonly announcement: Announcement
}

/** Announcements by the first row that knows of them; a revision is over on the day when it is in force. */
function noticesOf({ securities, dates }: Pick<Panel, 'securities' | 'dates'>, kinds: readonly AnnouncementKind[]): News[] {
  return securities
    .flatMap(({ announcements = [] }, security) =>
      announcements.flatMap((announcement): News[] => {
        if (!kinds.includes(announcement.kind)) return []
        let row = firstFrom(dates, announcement.date)
        if (dates[row] === announcement.date) row++
        if (announcement.kind === 'reset') row = Math.max(row, firstFrom(dates, announcement.effective ?? ''))
        return [{ row, security, announcement }]
      }),
    )
    .sort((a, b) => a.row - b.row || a.security - b.security)
}

function indexOf<T extends string>(names: readonly T[]): Readonly<Record<T, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<T, number>
}
