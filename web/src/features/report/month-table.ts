import type { PeriodRow } from '@convexa/contract/metrics'

interface MonthCell {
  value: number | null
  /** Last trading day of the month, to show its holdings. */
  end: string | null
}
export interface MonthYear {
  year: string
  partial: boolean
  months: MonthCell[]
  total: number | null
  /** Share of months above zero. */
  won: number | null
}

/** Years × twelve months, of the return itself or of the excess over the benchmark. */
export function monthTable(monthly: readonly PeriodRow[], yearly: readonly PeriodRow[], of: 'nav_return' | 'excess'): MonthYear[] {
  return yearly.map((year) => {
    const rows = monthly.filter((row) => row.period.startsWith(`${year.period}-`))
    const months = Array.from({ length: 12 }, (_, i): MonthCell => {
      const row = rows.find((one) => Number(one.period.slice(5, 7)) === i + 1)
      return { value: row?.[of] ?? null, end: row?.end ?? null }
    })
    const known = months.flatMap((cell) => (cell.value === null ? [] : [cell.value]))
    return {
      year: year.period,
      partial: year.partial,
      months,
      total: year[of],
      won: known.length > 0 ? known.filter((value) => value > 0).length / known.length : null,
    }
  })
}

/** Three steps of tint: below 2 %, below 4 %, from 4 % on. What rounds to 0.0 % has none. */
export function heatOf(value: number | null): string {
  if (value === null || Math.abs(value) < 0.0005) return ''
  const step = Math.abs(value) < 0.02 ? 1 : Math.abs(value) < 0.04 ? 2 : 3
  return `heat heat-${value > 0 ? 'up' : 'down'}-${step}`
}
