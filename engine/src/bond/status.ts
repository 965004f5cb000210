/** Where a bond stands with its clauses: the fine states that pages show, and the coarse one of the wire (api.md 7.3). */
import { type CallState, callStates, callStatuses, resetStates } from '../market/market.ts'
import { dayNumber, firstFrom } from '../panel/calendar.ts'
import { absentColumn, type Panel } from '../panel/panel.ts'
import type { Announcement, AnnouncementKind } from './terms.ts'

/**
 * What nothing more is heard of lapses after so many days: a proposal to revise, whose meeting comes within three weeks, and a hint that the call
 * condition may be met, whose window is six.
 */
export const lapseDays = 60
/** From so many days to go on a trigger is near. */
const nearDays = 5

const call = indexOf(callStates)
const reset = indexOf(resetStates)

/** What the wire says of each fine state. */
const coarse: Readonly<Partial<Record<CallState, (typeof callStatuses)[number]>>> = {
  已满足强赎条件: 'met',
  公告提示强赎: 'notice',
  已公告强赎: 'announced',
  公告实施强赎: 'executing',
  公告到期赎回: 'maturity',
}
const coarseOf = Float64Array.from(callStates, (state) => callStatuses.indexOf(coarse[state] ?? 'none'))
const fineOf = callStatuses.map((status) => callStates.findIndex((state) => coarse[state] === status))

const callSteps: Partial<Record<AnnouncementKind, number>> = {
  redeem_hint: call.公告提示强赎,
  redeem: call.已公告强赎,
  redeem_execution: call.公告实施强赎,
  maturity: call.公告到期赎回,
  no_redeem: call.无,
}

/**
 * 强赎状态: what has been announced; else the promise not to call, the conversion period, the count. A status that the data bring
 * themselves (`call_status`) stands for the announcements.
 */
export function callState(panel: Panel, counts: Float64Array | null): Float64Array | null {
  if (!counts) return null
  const { securities, dates, stride, listed, columns } = panel
  const own = columns.get('call_status')
  const column = absentColumn({ dates, stride })
  const days = Float64Array.from(dates, dayNumber)
  const size = securities.length
  const need = Float64Array.from(securities, ({ terms }) => terms?.redeem?.days ?? Number.NaN)
  const opens = Float64Array.from(securities, ({ terms }) => (terms?.conversionStart ? dayNumber(terms.conversionStart) : 0))
  const said = new Int32Array(size)
  /** The last day for which it stands. */
  const stands = new Float64Array(size)
  const promised = new Float64Array(size)
  const news = heard(panel, Object.keys(callSteps) as AnnouncementKind[])
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    for (; next < news.length && news[next].row <= t; next++) {
      const { security: i, announcement } = news[next]
      said[i] = callSteps[announcement.kind] as number
      stands[i] = announcement.kind === 'redeem_hint' ? dayNumber(announcement.date) + lapseDays : Number.POSITIVE_INFINITY
      promised[i] = announcement.kind === 'no_redeem' && announcement.until ? dayNumber(announcement.until) : 0
    }
    const row = t * stride
    for (let i = 0; i < size; i++) {
      const at = row + i
      if (listed[at] === 0) continue
      const brought = own ? own[at] : Number.NaN
      const told = stands[i] >= days[t] ? said[i] : call.无
      const known = brought > 0 ? fineOf[brought] : brought === 0 ? call.无 : told
      const counted = counts[at]
      if (known !== call.无) column[at] = known
      else if (counted >= need[i]) column[at] = call.已满足强赎条件
      else if (promised[i] >= days[t]) column[at] = call.公告不强赎
      else if (days[t] < opens[i]) column[at] = call.未到转股期
      else if (counted > 0) column[at] = need[i] - counted <= nearDays ? call.临近触发 : call.计数中
      else column[at] = call.无
    }
  }
  return column
}

/** The wire's `call_status`, for data that have none of their own. */
export function callStatus(fine: Float64Array | null): Float64Array | null {
  return fine && Float64Array.from(fine, (state) => (state === state ? coarseOf[state] : Number.NaN))
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
  const news = heard(panel, ['reset_proposal', 'reset', 'no_reset'])
  let next = 0
  for (let t = 0; t < dates.length; t++) {
    for (; next < news.length && news[next].row <= t; next++) {
      const { security: i, announcement } = news[next]
      proposed[i] = announcement.kind === 'reset_proposal' ? dayNumber(announcement.date) + lapseDays : 0
      promised[i] = announcement.kind === 'no_reset' && announcement.until ? dayNumber(announcement.until) : 0
    }
    const row = t * stride
    for (let i = 0; i < size; i++) {
      const at = row + i
      if (listed[at] === 0 || need[i] !== need[i]) continue
      const counted = counts[at]
      if (proposed[i] >= days[t]) column[at] = reset.提议下修
      else if (promised[i] >= days[t]) column[at] = reset.公告不下修
      else if (counted !== counted) continue
      else if (counted >= need[i]) column[at] = reset.已满足下修条件
      else if (counted > 0) column[at] = need[i] - counted <= nearDays ? reset.临近触发 : reset.计数中
      else column[at] = reset.无
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
function heard({ securities, dates }: Panel, kinds: readonly AnnouncementKind[]): News[] {
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

function indexOf<T extends string>(states: readonly T[]): Readonly<Record<T, number>> {
  return Object.fromEntries(states.map((state, index) => [state, index])) as Record<T, number>
}
