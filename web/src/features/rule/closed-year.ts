import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { closedDatesQuery } from '../../api/queries.ts'
import { weekdayOf } from '../../base/dates.ts'
import type { Closed } from './trading-days.ts'

/** By what is known of each year. Weekends are known without. */
export const closedBy =
  (known: ReadonlyMap<number, ReadonlySet<string> | undefined>): Closed =>
  (date) =>
    weekdayOf(date) % 6 === 0 || (known.get(Number(date.slice(0, 4)))?.has(date) ?? null)

/** Which days of the year that a calendar shows the exchanges are shut: one request a year, kept; none while no year is shown. */
export function useClosedYear(year: number | null): Closed {
  const { data } = useQuery({ ...closedDatesQuery(year ?? 0), enabled: year !== null })
  return useMemo(() => closedBy(new Map([[year ?? 0, data && new Set(data.dates)]])), [year, data])
}
