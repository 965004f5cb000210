import type { Report } from '@convexa/contract/report'

/** Contribution of a security in a month, as a share of the starting capital. */
export interface MonthBest {
  name: string
  share: number
}

/** The three that gained most in a month (`2023-10`), the best first; none that lost. */
export function monthBest(report: Pick<Report, 'daily_contribution' | 'contributions'>, period: string): MonthBest[] {
  const { codes, days } = report.daily_contribution
  const sums = new Map<number, number>()
  for (const { date, code_index, value } of days) {
    if (!date.startsWith(period)) continue
    for (const [i, code] of code_index.entries()) sums.set(code, (sums.get(code) ?? 0) + (value[i] ?? 0))
  }
  const nameOf = (code: string) => report.contributions.find((one) => one.code === code)?.name ?? code
  return [...sums]
    .flatMap(([index, share]) => {
      const code = codes[index] ?? ''
      // '' stands for all others together.
      return code === '' || share <= 0 ? [] : [{ name: nameOf(code), share }]
    })
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
}
