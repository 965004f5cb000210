import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { closedDatesQuery, queries } from '../../api/queries.ts'
import { closedBy } from './closed-year.ts'
import type { DataRange } from './draft.ts'
import type { Closed } from './trading-days.ts'

/** Which days of some years the exchanges are shut: one request a year, kept. Weekends are known without. */
export function useClosed(years: readonly number[]): Closed {
  const key = [...new Set(years)].sort((a, b) => a - b).join()
  const wanted = useMemo(() => (key === '' ? [] : key.split(',').map(Number)), [key])
  const days = useQueries({
    queries: wanted.map((year) => closedDatesQuery(year)),
    combine: (answers) => answers.map(({ data }) => data?.dates),
  })
  return useMemo(() => closedBy(new Map(wanted.map((year, i) => [year, days[i] && new Set(days[i])]))), [wanted, days])
}

/** Does what was chosen once the years are here that it needs, unless something else was chosen, or the page was left, before they came. */
export function useOnceKnown(): (years: readonly number[], act: (closed: Closed) => void) => Promise<void> {
  const latest = useRef<unknown>(null)
  useEffect(() => () => void (latest.current = null), [])
  return async (years, act) => {
    latest.current = act
    const days = [...new Set(years)].map(async (year) => {
      // One that cannot be had stays unknown.
      const closed = await queries.ensureQueryData(closedDatesQuery(year)).catch(() => undefined)
      return [year, closed && new Set(closed.dates)] as const
    })
    const closed = closedBy(new Map(await Promise.all(days)))
    if (latest.current === act) act(closed)
  }
}

/** The years that a step from a day may reach, within the data. */
export const yearsAround = (date: string, { start, end }: DataRange): number[] => {
  const year = Number(date.slice(0, 4))
  return [year - 1, year, year + 1].filter((one) => one >= Number(start.slice(0, 4)) && one <= Number(end.slice(0, 4)))
}
