import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { closedDatesQuery } from '../../api/queries.ts'
import { type MarketClock, marketClock } from '../../market/clock.ts'
import { shanghai } from '../../ui/dates.ts'

/** The market clock of now; it looks again every 10 seconds, which is enough for minutes. */
export function useMarketClock(): MarketClock {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const { data } = useQuery(closedDatesQuery(shanghai(now).year))
  const closed = useMemo(() => (data ? new Set(data) : null), [data])
  return useMemo(() => marketClock(now, closed), [now, closed])
}
