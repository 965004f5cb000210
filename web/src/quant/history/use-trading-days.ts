import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { closedDatesQuery } from '../../api/queries.ts'
import { weekdayOf } from '../../ui/dates.ts'
import type { DataRange } from '../draft.ts'
import type { Closed } from './trading-days.ts'

/** Which days of some years the exchanges are shut: one request a year, kept. Weekends are known without. */
export function useClosed(years: readonly number[]): Closed {
  const key = [...new Set(years)].sort((a, b) => a - b).join()
  const wanted = useMemo(() => (key === '' ? [] : key.split(',').map(Number)), [key])
  const days = useQueries({
    queries: wanted.map((year) => closedDatesQuery(year)),
    combine: (answers) => answers.map(({ data }) => data),
  })
  return useMemo(() => {
    const known = new Map(wanted.map((year, i) => [year, days[i] && new Set(days[i])]))
    return (date: string) => weekdayOf(date) % 6 === 0 || (known.get(Number(date.slice(0, 4)))?.has(date) ?? null)
  }, [wanted, days])
}

/** The years that a step from a day may reach, within the data. */
export const yearsAround = (date: string, { start, end }: DataRange): number[] => {
  const year = Number(date.slice(0, 4))
  return [year - 1, year, year + 1].filter((one) => one >= Number(start.slice(0, 4)) && one <= Number(end.slice(0, 4)))
}
