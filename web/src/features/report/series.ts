import type { Series } from '../../ui/chart/series.ts'

/** Small arithmetic on daily series: NaN-free inputs are not assumed, what is absent stays null. */

/** Each value ÷ the highest so far − 1; the starting capital (1) counts as a peak. */
export function underwater(nav: Series): (number | null)[] {
  let peak = 1
  return nav.map((value) => {
    if (value === null) return null
    peak = Math.max(peak, value)
    return value / peak - 1
  })
}

/** Strategy ÷ benchmark, day by day: 1.00 = as good as the benchmark. The first day is not 1 where it cost or earned something. */
export function relative(nav: Series, bench: Series): (number | null)[] {
  return nav.map((value, i) => {
    const other = bench[i] ?? null
    return value === null || other === null || other === 0 ? null : value / other
  })
}

/** Whether a strategy grew so much that a linear axis hides its beginning: more than three times. */
export function wantsLog(nav: Series): boolean {
  const known = nav.filter((value) => value !== null)
  return known.length > 0 && Math.max(...known) > 3 * Math.min(...known) && Math.min(...known) > 0
}

export interface MonthReturn {
  /** `2025-04` */
  month: string
  nav: number
  bench: number | null
  /** The month is not over in this curve. */
  open: boolean
}

/** Returns by month of a curve whose first value is the close before the first month's trades; the last month stays open. */
export function monthReturns(dates: readonly string[], nav: Series, bench: Series): MonthReturn[] {
  const months: MonthReturn[] = []
  let from: number | null = null
  let benchFrom: number | null = null
  for (let i = 0; i < dates.length; i++) {
    const month = dates[i]?.slice(0, 7) ?? ''
    const last = i === dates.length - 1
    const value = nav[i]
    if (value === null || value === undefined) continue
    from ??= i === 0 ? 1 : value
    benchFrom ??= i === 0 ? 1 : (bench[i] ?? null)
    if (!last && dates[i + 1]?.slice(0, 7) === month) continue
    const other = bench[i] ?? null
    months.push({ month, nav: value / from - 1, bench: other !== null && benchFrom ? other / benchFrom - 1 : null, open: last })
    from = value
    benchFrom = other
  }
  return months
}
