import { periodOf, type RebalancePeriod } from '@convexa/contract/enums/rebalance-type'
import type { Parameters } from '@convexa/contract/strategy'

const day = 86_400_000
/** Number of the week (Monday to Sunday) or the month that a date is in. */
const periods: Record<RebalancePeriod, (date: string) => number> = {
  week: (date) => Math.floor((Date.parse(date) / day + 3) / 7),
  month: (date) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)),
}

/**
 * The trading day of a run whose ranking was in force on day `at`: the newest rotation at or before it; null where the run's own
 * days do not tell (its first and last week or month may go on outside of it).
 */
export function rotationDay(dates: readonly string[], at: number, method: Parameters['rebalance_method']): string | null {
  const { rebalance_value: value } = method
  const kind = periodOf(method)
  if (kind === null) return dates[at - (at % Math.max(1, value))] ?? null
  const period = periods[kind]
  const of = (index: number) => period(dates[index] ?? '')
  for (let end = at; end >= 0; ) {
    let start = end
    while (start > 0 && of(start - 1) === of(end)) start--
    let last = end
    while (last + 1 < dates.length && of(last + 1) === of(end)) last++
    // How many days a period has at its start is not known for the first, at its end not for the last.
    if (start === 0 || (last === dates.length - 1 && value < 0)) return null
    const found = value > 0 ? Math.min(start + value - 1, last) : Math.max(start, last + value + 1)
    const cut = value > 0 && start + value - 1 > last && last === dates.length - 1
    if (found <= at && !cut) return dates[found] ?? null
    end = start - 1
  }
  return null
}
