import type { Series } from '../../ui/chart/series.ts'

/** Months with a day at least so far below the highest value before, their share of all, and the most of them in a row. */
export function underwaterMonths(
  dates: readonly string[],
  drawdown: Series,
  depth: number,
): { months: number; share: number; longest: number } {
  const months = new Map<string, boolean>()
  for (const [i, date] of dates.entries()) {
    const month = date.slice(0, 7)
    // What is shown as 10 % counts as 10 %.
    months.set(month, (months.get(month) ?? false) || (drawdown[i] ?? 0) <= -depth + 1e-9)
  }
  let [count, run, longest] = [0, 0, 0]
  for (const under of months.values()) {
    run = under ? run + 1 : 0
    longest = Math.max(longest, run)
    if (under) count++
  }
  return { months: count, share: months.size === 0 ? 0 : count / months.size, longest }
}
