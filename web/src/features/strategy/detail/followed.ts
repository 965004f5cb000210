import type { Tracking } from '@convexa/contract/saved-strategy'
import { dateTime } from '../../../base/dates.ts'
import type { Series } from '../../../ui/chart/series.ts'

/** Below the highest so far; the first value counts from 1. */
export function fallOf(nav: Series): (number | null)[] {
  let high = 1
  return nav.map((value) => {
    if (value === null) return null
    high = Math.max(high, value)
    return value / high - 1
  })
}

export interface FollowedFacts {
  days: number
  total: number
  /** What the market did on the same days; null where it is not known. */
  market: number | null
  /** How many days were written when they were the newest, and how many before all of their data had come. */
  onTime: number
  unfinished: number
  /** Where the record and the data of now part most; null where they agree. */
  parted: { date: string; recorded: number; now: number } | null
}

/** What was recorded by engines of before 0.5 has six decimals. */
export const same = 5e-7

/** `11-20 待估值与股本到齐后记录，最迟当日 20:15`; null while no day waits. */
export function waitingWords({ waiting }: Pick<Tracking, 'waiting'>): string | null {
  return waiting ? `${waiting.date.slice(5)} 待${waiting.parts.join('、')}到齐后记录，最迟当日 20:15` : null
}

/** When a day was written, and what of its data had not come by then. */
export function writtenWords({ recorded_at: at, on_time: onTime, open_parts: open = [] }: Tracking['days'][number]): string {
  return [`${dateTime(at).slice(0, 16)}${onTime ? '' : '（补记）'}`, ...(open.length > 0 ? [`${open.join('、')}未到齐`] : [])].join('，')
}

export function followedFacts({ dates, nav, now, days, market }: Omit<Tracking, 'version' | 'saved_at' | 'engines'>): FollowedFacts | null {
  const total = nav.at(-1)
  if (total === undefined) return null
  let parted: FollowedFacts['parted'] = null
  for (const [i, recorded] of nav.entries()) {
    const value = now[i]
    if (value === null || value === undefined) continue
    if (Math.abs(value - recorded) > Math.max(same, parted ? Math.abs(parted.now - parted.recorded) : 0))
      parted = { date: dates[i] ?? '', recorded, now: value }
  }
  const end = market?.nav.at(-1) ?? null
  const onTime = days.filter(({ on_time }) => on_time).length
  const unfinished = days.filter(({ open_parts: open = [] }) => open.length > 0).length
  return { days: dates.length, total: total - 1, market: end === null ? null : end - 1, onTime, unfinished, parted }
}

/** How many of a run's days lie before the day on which the rule was saved: what was seen when it was made. */
export function daysBefore(dates: readonly string[], saved: string): number {
  const at = dates.findIndex((date) => date >= saved)
  return at < 0 ? dates.length : at
}
