/** Trading days of a year, as the engine annualises. */
const yearDays = 242

export interface ReportRange {
  from: string
  to: string
  /** Fractions; null where the benchmark is not known at one of its ends. */
  total: number
  bench: number | null
}

interface Curve {
  dates: readonly string[]
  nav: readonly (number | null)[]
  bench: readonly (number | null)[]
}

/** The twelve months of a curve in which most was lost, or least gained, and what the benchmark did then; null below a year. */
export function worstYear({ dates, nav, bench }: Curve): ReportRange | null {
  let worst: ReportRange | null = null
  for (let end = yearDays; end < dates.length; end++) {
    const begin = end - yearDays
    const total = change(nav, begin, end)
    if (total !== null && (worst === null || total < worst.total))
      worst = { from: dates[begin] ?? '', to: dates[end] ?? '', total, bench: change(bench, begin, end) }
  }
  return worst
}

function change(values: readonly (number | null)[], begin: number, end: number): number | null {
  const [first, last] = [values[begin] ?? null, values[end] ?? null]
  return first === null || last === null || first === 0 ? null : last / first - 1
}
