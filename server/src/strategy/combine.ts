import type { GroupDetail, GroupListItem, Parameters } from '@convexa/contract'
import { maxDrawdown, pearson } from '@convexa/engine/report'
import type { GlanceNav, StoredGlance } from '../db/tables/stored-glance.ts'

// What members say together, from their stored glances: nothing is computed on market data here.

/** A member of a group with its share and its glance. */
export interface Member {
  readonly id: string
  readonly name: string
  readonly weight: number
  readonly detail: Parameters
  readonly glance: StoredGlance | null
  readonly glance_nav: GlanceNav | null
}

type Rebalance = GroupListItem['rebalance']
type Duplicate = GroupListItem['duplicate']

/** Fewer common days of two curves say nothing of how they go together. */
export const leastDays = 20

/** The lists of the members as one, the heaviest first; a security of several members once (`merge`) or once for each. */
export function combinedList(members: readonly Member[], duplicate: Duplicate): GroupDetail['combined_list'] {
  const rows = new Map<string, { code: string; name: string; weight: number; from: string[] }>()
  for (const { id, weight, glance } of members) {
    for (const item of glance?.list_items ?? []) {
      const key = duplicate === 'merge' ? item.code : `${item.code} ${id}`
      const row = rows.get(key) ?? { code: item.code, name: item.name, weight: 0, from: [] }
      row.weight += weight * item.weight
      row.from.push(id)
      rows.set(key, row)
    }
  }
  return [...rows.values()].sort((a, b) => b.weight - a.weight || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0))
}

/** The group's own glance; null while a member lacks one. */
export function together(members: readonly Member[], group: { rebalance: Rebalance; duplicate: Duplicate }): GroupListItem['glance'] {
  const dates = members.map(({ glance }) => glance?.as_of)
  const asOf = dates.reduce((least, date) => (least !== undefined && date !== undefined && least < date ? least : date), dates[0])
  if (members.length === 0 || asOf === undefined || dates.includes(undefined)) return null
  const { matrix } = correlations(members, group.rebalance)
  const pairs = matrix.flatMap((row, i) => row.filter((value, k): value is number => k > i && value !== null))
  const nav = groupNav(members, group.rebalance)
  return {
    as_of: asOf,
    securities: combinedList(members, group.duplicate).length,
    correlation: pairs.length === 0 ? null : pairs.reduce((sum, value) => sum + value, 0) / pairs.length,
    ret_1y: nav ? nav.at(-1)! / nav[0]! - 1 : null,
    max_drawdown_1y: nav ? maxDrawdown(nav) : null,
  }
}

/** Of the daily returns of the members among themselves, and of each with the group. */
export function correlations(
  members: readonly Member[],
  rebalance: Rebalance,
): { matrix: (number | null)[][]; withGroup: (number | null)[] } {
  const common = commonNav(members)
  const returns = common?.navs.map(returnsOf)
  const group = groupNav(members, rebalance)
  const ofGroup = group && returnsOf(group)
  return {
    matrix: members.map((_, i) => members.map((_, k) => (i === k ? 1 : returns ? correlation(returns[i]!, returns[k]!) : null))),
    withGroup: members.map((_, i) => (returns && ofGroup ? correlation(returns[i]!, ofGroup) : null)),
  }
}

/** The net values of all members on the days that all have; null when one has none, or they share too few days. */
function commonNav(members: readonly Member[]): { dates: string[]; navs: number[][] } | null {
  const curves = members.map(({ glance_nav: nav }) => new Map((nav?.dates ?? []).map((date, i) => [date, nav!.nav[i]!])))
  const dates = [...(curves[0]?.keys() ?? [])].filter((date) => curves.every((curve) => curve.has(date)))
  if (dates.length <= leastDays) return null
  return { dates, navs: curves.map((curve) => dates.map((date) => curve.get(date)!)) }
}

/** The weighted sum of the members, put back to their shares on the first day of a month or never. */
function groupNav(members: readonly Member[], rebalance: Rebalance): number[] | null {
  const common = commonNav(members)
  if (!common) return null
  const { dates, navs } = common
  let parts = members.map(({ weight }) => weight)
  const values = [1]
  for (let day = 1; day < dates.length; day++) {
    if (rebalance === 'monthly' && dates[day]!.slice(0, 7) !== dates[day - 1]!.slice(0, 7)) {
      parts = members.map(({ weight }) => weight * values[day - 1]!)
    }
    parts = parts.map((part, i) => part * (navs[i]![day]! / navs[i]![day - 1]!))
    values.push(parts.reduce((sum, part) => sum + part, 0))
  }
  return values
}

export const returnsOf = (nav: readonly number[]): number[] => nav.slice(1).map((value, i) => value / nav[i]! - 1)

/** Pearson's; null where one of them never moves. */
export function correlation(a: readonly number[], b: readonly number[]): number | null {
  const share = pearson(a, b)
  return Number.isNaN(share) ? null : Math.max(-1, Math.min(1, share))
}
