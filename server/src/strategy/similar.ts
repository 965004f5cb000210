import type { StrategyDetail } from '@convexa/contract'
import type { GlanceNav } from '../db/tables/stored-glance.ts'
import { correlation, leastDays, returnsOf } from './combine.ts'

interface Other {
  readonly id: string
  readonly name: string
  readonly glance_nav: GlanceNav | null
}

/** Below this share two rules only happen to hold the same now and then. */
const leastOverlap = 0.1
const mostShown = 10
/** Lists may tell only every so many days; fewer common ones say nothing. */
const leastLists = 10

/** Which other rules hold much the same (product.md 6, 9): from stored glances, nothing is computed on market data. */
export function similarTo(own: GlanceNav, others: readonly Other[]): StrategyDetail['similar'] {
  const mine = daysOf(own)
  return others
    .flatMap(({ id, name, glance_nav: nav }) => {
      const alike = nav && compared(mine, nav)
      return alike && alike.overlap >= leastOverlap ? [{ strategy_id: id, strategy_name: name, ...alike }] : []
    })
    .sort((a, b) => b.overlap - a.overlap || (a.strategy_id < b.strategy_id ? -1 : 1))
    .slice(0, mostShown)
}

interface Day {
  readonly nav: number
  readonly positions: ReadonlySet<string> | null
}

const daysOf = ({ dates, nav, codes, held }: GlanceNav): ReadonlyMap<string, Day> =>
  new Map(dates.map((date, i) => [date, { nav: nav[i]!, positions: setOf(codes, held?.[i]) }]))

const setOf = (codes: readonly string[] | undefined, places: readonly number[] | null | undefined) =>
  codes && places ? new Set(places.map((place) => codes[place]!)) : null

/** On the days that both tell; null when those are too few. */
function compared(mine: ReadonlyMap<string, Day>, other: GlanceNav): { overlap: number; correlation: number | null; days: number } | null {
  const navs: [number[], number[]] = [[], []]
  let days = 0
  let shares = 0
  for (const [i, date] of other.dates.entries()) {
    const day = mine.get(date)
    if (!day) continue
    navs[0].push(day.nav)
    navs[1].push(other.nav[i]!)
    const theirs = other.held?.[i]
    if (!day.positions || !theirs || !other.codes) continue
    const both = theirs.filter((place) => day.positions?.has(other.codes![place]!)).length
    const either = day.positions.size + theirs.length - both
    // Nothing held by either says nothing of how alike they are.
    if (either === 0) continue
    days++
    shares += both / either
  }
  if (days < leastLists) return null
  const together = navs[0].length > leastDays ? correlation(returnsOf(navs[0]), returnsOf(navs[1])) : null
  return { overlap: shares / days, correlation: together, days }
}
