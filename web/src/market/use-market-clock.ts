import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { closedDatesQuery } from '../api/queries.ts'
import { shanghai } from '../base/dates.ts'
import { type ClosedDays, type MarketClock, marketClock } from './clock.ts'

/** Now, looked at again every 10 seconds, which is enough for minutes; and the closed days of its year once they are known, if they are asked for. */
export function useMarketDays(enabled = true): { now: number; closed: ClosedDays } {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const { data } = useQuery({ ...closedDatesQuery(shanghai(now).year), enabled })
  const closed = useMemo(() => (data ? { dates: new Set(data.dates), expected: data.expected } : null), [data])
  return { now, closed }
}

/** The market clock of now. */
export function useMarketClock(): MarketClock {
  const { now, closed } = useMarketDays()
  return useMemo(() => marketClock(now, closed), [now, closed])
}
