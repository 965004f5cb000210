import type { Report } from '@convexa/contract/report'
import type { Tracking } from '@convexa/contract/saved-strategy'
import type { Series } from '../../ui/chart/series.ts'

export interface FollowedCurve {
  dates: string[]
  /** Before the start what a run said, after it what was written down day by day. */
  nav: (number | null)[]
  /** The days since, as data and engine of now tell them; on the scale of `nav`. */
  now: (number | null)[]
  drawdown: (number | null)[]
  /** First day out of sample; null: none is known yet. */
  start: string | null
}

type History = Pick<Report, 'curves'>

/** A run's curve up to the day the rule was saved, and what was followed from then on. Without a run only the latter, from 1. */
export function followedCurve(history: History | null, { dates, nav, now }: Pick<Tracking, 'dates' | 'nav' | 'now'>): FollowedCurve {
  const start = dates[0] ?? null
  const before = history?.curves.dates.filter((date) => start === null || date < start) ?? []
  const past = before.map((_, i) => history?.curves.nav[i] ?? null)
  const from = past.findLast((value) => value !== null) ?? 1
  const all = [...past, ...nav.map((value) => value * from)]
  return {
    dates: [...before, ...dates],
    nav: all,
    now: [...before.map(() => null), ...now.map((value) => (value === null ? null : value * from))],
    drawdown: fallOf(all),
    start,
  }
}

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
  /** How many days were written when they were the newest. */
  onTime: number
  /** Where the record and the data of now part most; null where they agree. */
  parted: { date: string; told: number; now: number } | null
}

const same = 5e-7

export function followedFacts({ dates, nav, now, days }: Pick<Tracking, 'dates' | 'nav' | 'now' | 'days'>): FollowedFacts | null {
  const total = nav.at(-1)
  if (total === undefined) return null
  let parted: FollowedFacts['parted'] = null
  for (const [i, told] of nav.entries()) {
    const value = now[i]
    if (value === null || value === undefined) continue
    if (Math.abs(value - told) > Math.max(same, parted ? Math.abs(parted.now - parted.told) : 0))
      parted = { date: dates[i] ?? '', told, now: value }
  }
  return { days: dates.length, total: total - 1, onTime: days.filter(({ on_time }) => on_time).length, parted }
}
