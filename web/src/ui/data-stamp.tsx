import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { closedDatesQuery } from '../api/queries.ts'
import { marketClock, marketTime } from '../market/clock.ts'
import { type DataTime, stampOf } from './stamp.ts'
import './data-stamp.css'

/** The time stamp on a block of data: `数据 2026-11-20 14:32:05 · 实时`. `title` adds what is known besides. */
export function DataStamp({ title, ...data }: DataTime & { title?: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!data.realtime) return
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [data.realtime])
  const closed = useQuery({ ...closedDatesQuery(marketClock(now, null).year), enabled: data.realtime })
  const days = closed.data ? new Set(closed.data) : null
  const since = { open: marketClock(now, days).open, moved: (from: number) => marketTime(from, now, days) }
  const { text, look, warning } = stampOf(data, since)
  const words = [warning, title].filter(Boolean).join('；')
  return (
    <span className={warning && data.source !== 'demo' ? 'chip stamp standing' : 'chip stamp'} title={words || undefined}>
      <i className={{ ok: 'dot', warn: 'dot warn', quiet: 'dot quiet' }[look]} aria-hidden="true" />
      {text}
      {warning && <span className="hidden-text">{warning}</span>}
    </span>
  )
}
